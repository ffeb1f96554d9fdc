import type { Estimate } from "../../contracts/metric.ts";
import type {
  LineBlock,
  NoteBlock,
  ReportBlock,
  ReportSection,
  TableBlock,
  Tone,
} from "../../contracts/report.ts";
import type { Summary } from "../../contracts/suite.ts";
import {
  brief,
  countRows,
  intervalText,
  metricBars,
  metricValue,
  type ToneSteps,
  tableOf,
} from "../../measures/report/blocks.ts";
import { ratesBlocks, timesBlocks } from "../../measures/report/performance-blocks.ts";
import { tellingTags } from "../../measures/report/telling-tags.ts";
import { breakdownSchema, type ToolsBreakdown } from "./breakdown.ts";
import { type FailureClass, failureClasses } from "./failures.ts";
import { toolsMetrics } from "./metrics.ts";
import type { ToolsOptions } from "./options.ts";
import { type Level, levels } from "./sample.ts";

type Metrics = Readonly<Record<string, Estimate>>;

/**
 * The report of a tools run: the total and its levels, what went wrong with calls, where answers came
 * from, hybrid routing, tags, and performance.
 * Source: specification of the tools suite.
 * @example toolsReport(summary, { options })[0]?.id // "summary"
 */
export function toolsReport(
  { metrics, breakdown }: Summary,
  { options }: { options: ToolsOptions },
): ReportSection[] {
  const tables = breakdownSchema.parse(breakdown);
  return [
    summarySection(metrics, tables, options),
    callSection(metrics, tables),
    failureSection(tables),
    sourceSection(tables, options),
    ...hybridSections(tables),
    ...tagSections(tables),
    performanceSection(metrics),
  ];
}

const steps = [
  [0.9, "excellent"],
  [0.75, "good"],
  [0.5, "fair"],
] as const satisfies ToneSteps;

const bars = (title: string, ids: readonly string[], metrics: Metrics) =>
  metricBars(title, ids, metrics, { catalogue: toolsMetrics, steps });

const named: Readonly<Record<Level, string>> = { easy: "Easy", medium: "Medium", hard: "Hard" };

function summarySection(
  metrics: Metrics,
  tables: ToolsBreakdown,
  { timeBaselineMs }: ToolsOptions,
): ReportSection {
  const present = tables.levels.map(({ level }) => level);
  const formula = tables.levels
    .map(({ level, weight }) => `${weight.toFixed(2)} · ${level}`)
    .join(" + ");
  return {
    id: "summary",
    title: "Total and levels",
    intro: `Total = ${formula || "nothing, without samples"}. A level is 0.60 · mean F1 + 0.15 · time score + 0.25 · on-device ratio; the time score falls from 1 to 0 at a mean latency of ${timeBaselineMs} ms.`,
    blocks: [
      ...brief([
        bars("Total", ["total"], metrics),
        bars(
          "Levels",
          present.map((level) => `${level}Score`),
          metrics,
        ),
      ]),
      ...levelTable(metrics, tables),
      ...missingNote(present),
      ...untimedNote(metrics, present),
    ],
  };
}

function levelTable(metrics: Metrics, { levels: present }: ToolsBreakdown) {
  const of = (level: Level, figure: string) => metricValue(metrics, `${level}${figure}`);
  return tableOf(
    "Levels in parts",
    [
      ["level", "Level", "text"],
      ["weight", "Weight", "percent"],
      ["score", "Level score", "score"],
      ["f1", "Mean F1", "score"],
      ["interval", "95% interval of F1", "text"],
      ["time", "Mean latency", "ms"],
      ["timeScore", "Time score", "score"],
      ["onDevice", "On device", "percent"],
      ["n", "Samples", "count"],
    ],
    present.map(({ level, n, weight }): TableBlock["rows"][number] => ({
      ...{ level: named[level], n, weight, score: of(level, "Score"), f1: of(level, "F1") },
      interval: intervalText(metrics[`${level}F1`]?.interval ?? null),
      ...{ time: of(level, "Time"), timeScore: of(level, "TimeScore") },
      onDevice: of(level, "OnDevice"),
    })),
  );
}

const note = (title: string, text: string, tone: Tone = "neutral"): NoteBlock => ({
  ...{ kind: "note", title, tone, text },
});

function missingNote(present: readonly Level[]): NoteBlock[] {
  const missing = levels.filter((level) => !present.includes(level));
  if (missing.length === 0 || present.length === 0) return [];
  const text = `The dataset has no ${missing.join(" and no ")} samples, so the weights of the total were rescaled to the levels that it has. Totals of datasets with other levels are another measure.`;
  return brief([note("Levels that are missing", text, "fair")]);
}

function untimedNote(metrics: Metrics, present: readonly Level[]): NoteBlock[] {
  const untimed = present.filter((level) => metricValue(metrics, `${level}Time`) === null);
  if (untimed.length === 0) return [];
  const text = `No answer to ${untimed.join(" or ")} samples has a latency, so their time score is 0. Answers made elsewhere take it from latencyMs.`;
  return [note("No latencies", text, "fair")];
}

/** How answers came back, in the order of the page. */
const readings = [
  ["from native", "As tool calls", "good"],
  ["from content", "As JSON in the text", "good"],
  ["from unreadable", "Text without readable calls", "poor"],
  ["from none", "No call", "neutral"],
] as const satisfies readonly (readonly [string, string, Tone])[];

function callSection(metrics: Metrics, { counts }: ToolsBreakdown): ReportSection {
  return {
    id: "calls",
    title: "Calls",
    intro:
      "Means over samples. Where no call is right, a sample counts as right if none was made; text without a call is none.",
    blocks: [
      bars("Calls met", ["avgF1", "precision", "recall"], metrics),
      bars(
        "Shares of samples and calls",
        ["allRight", "irrelevanceAccuracy", "schemaValidity"],
        metrics,
      ),
      {
        ...{ kind: "stack", title: "How calls were read", unit: "answers" },
        parts: readings.map(([name, label, tone]) => ({
          ...{ label, count: counts[name] ?? 0, tone, definition: `${label}.` },
        })),
      },
      ...statusNote(counts),
    ],
  };
}

function statusNote(counts: ToolsBreakdown["counts"]): NoteBlock[] {
  const parts = (
    [
      ["status error", "requests failed, which earn nothing"],
      ["status refused", "answers were refusals"],
      ["truncated", "answers were cut off at the token limit"],
    ] as const
  ).flatMap(([name, text]) => (counts[name] ? [`${counts[name]} ${text}`] : []));
  return parts.length === 0 ? [] : [note("Beside that", `${parts.join("; ")}.`)];
}

const failureLabels: Readonly<Record<FailureClass, string>> = {
  wrongFunction: "Wrong function",
  missingCall: "Missing call",
  extraCall: "Extra call",
  wrongArgument: "Wrong argument",
  missingArgument: "Missing argument",
  surplusArgument: "Surplus argument",
  malformedArguments: "Malformed arguments",
};

const failureText: Readonly<Record<FailureClass, string>> = {
  wrongFunction: "Another function was called instead.",
  missingCall: "An expected call was not made.",
  extraCall: "A call was made that nobody expected.",
  wrongArgument: "The right function with another value.",
  missingArgument: "The right function without an expected argument.",
  surplusArgument: "The right function with an argument beyond those expected (strictArguments).",
  malformedArguments: "The arguments are no JSON object.",
};

function failureRows({ failures }: ToolsBreakdown): TableBlock["rows"] {
  const counts = failureClasses.map((name) => [failureLabels[name], failures[name]] as const);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  return countRows(counts, total).map((row, i) => ({
    ...row,
    text: failureText[failureClasses[i]!],
  }));
}

function failureSection(tables: ToolsBreakdown): ReportSection {
  return {
    id: "failures",
    title: "What went wrong",
    intro: "Each call that did not match, by what was wrong with it.",
    blocks: [
      ...brief([
        ...tableOf(
          "Failures",
          [
            ["name", "Failure", "text"],
            ["count", "Count", "count"],
            ["share", "Share", "percent"],
            ["text", "What it is", "text"],
          ],
          failureRows(tables),
        ),
      ]),
      ...functionTable(tables),
      ...argumentTable(tables),
      ...tables.crowded
        .filter(({ family }) => family === "function" || family === "argument")
        .map(({ family, moreThan }) =>
          note("Not all are told apart", `There are more than ${moreThan} names of ${family}s.`),
        ),
    ],
  };
}

type Column = [id: string, label: string, format: "count"];

const failureColumns = failureClasses.map((name): Column => [name, failureLabels[name], "count"]);

function functionTable({ functions }: ToolsBreakdown): ReportBlock[] {
  return tableOf(
    "Functions",
    [
      ["name", "Function", "text"],
      ["expected", "Expected", "count"],
      ["matched", "Matched", "count"],
      ...failureColumns,
    ],
    functions.map(({ failures, ...counts }) => ({ ...counts, ...failures })),
  );
}

const ofArguments = new Set<string>(["wrongArgument", "missingArgument", "surplusArgument"]);

function argumentTable(tables: ToolsBreakdown): ReportBlock[] {
  if (tables.arguments.length === 0) return [];
  return tableOf(
    "Arguments",
    [["name", "Argument", "text"], ...failureColumns.filter(([name]) => ofArguments.has(name))],
    tables.arguments.map(({ name, failures }) => ({ name, ...failures })),
  );
}

function sourceSection({ sources, answers }: ToolsBreakdown, options: ToolsOptions): ReportSection {
  const declared =
    options.source === undefined
      ? "An answer that does not say where it came from counts as cloud."
      : `Answers that do not say so themselves count as ${options.source}, as the run declares.`;
  return {
    id: "sources",
    title: "Where answers came from",
    intro: `The source on-device counts as the device, any other as cloud. ${declared}`,
    blocks: tableOf(
      "Sources",
      [
        ["name", "Source", "text"],
        ["n", "Answers", "count"],
        ["share", "Share", "percent"],
      ],
      sources.map(({ name, n }) => ({ name, n, share: answers === 0 ? null : n / answers })),
    ),
  };
}

function hybridSections({ hybrid, answers }: ToolsBreakdown): ReportSection[] {
  if (hybrid === null) return [];
  const { threshold, curve, best, n } = hybrid;
  const intro = `The local endpoint was asked first; its answer stood at a confidence of ${threshold} or more, else the cloud was asked, and both latencies count.`;
  if (best === null) {
    const text =
      "A run of more than 20,000 answers keeps sums alone, which can't be routed anew with other thresholds.";
    return [{ id: "hybrid", title: "Hybrid routing", intro, blocks: [note("No curve", text)] }];
  }
  const isSwept = n === answers;
  const reach = isSwept
    ? "The option hybridSweep had both asked for every sample, and below the stored answers are routed anew with every other threshold."
    : "Below, the stored answers are routed anew with lower thresholds.";
  return [
    {
      ...{ id: "hybrid", title: "Hybrid routing", intro: `${intro} ${reach}` },
      blocks: [
        ...brief([note("Best threshold", bestText(best), "good")]),
        ...(isSwept ? [] : [note("Higher thresholds", unsweptText(n, answers))]),
        curveBlock(curve, threshold, best),
        ...curveTable(curve, threshold, best),
      ],
    },
  ];
}

const unsweptText = (n: number, answers: number) =>
  `The cloud was asked for ${n} of ${answers} answers, so that nothing is known of higher thresholds and the best one is the best of those shown. With the option hybridSweep both endpoints are asked every time.`;

type Point = NonNullable<ToolsBreakdown["hybrid"]>["curve"][number];

const thresholdText = ({ threshold }: Point) =>
  threshold === null ? "the cloud alone" : `a threshold of ${threshold.toFixed(3)}`;

const bestText = (best: Point) =>
  best.total === 0
    ? "No threshold earns anything: neither endpoint made a call that matched, nor was anything answered in time or on the device."
    : `The total is highest, ${(100 * best.total).toFixed(1)}%, with ${thresholdText(best)}: ${(100 * best.onDevice).toFixed(1)}% of the answers then come from the device. It was chosen on these very samples, so a new run should be expected to do a little worse.`;

function curveBlock(curve: readonly Point[], threshold: number, best: Point): LineBlock {
  const points = curve.flatMap(({ threshold: x, total: y }) => (x === null ? [] : [{ x, y }]));
  const chosen = points.find(({ x }) => x === threshold);
  return {
    ...{ kind: "line", title: "Total by threshold" },
    x: { label: "Confidence threshold", format: "score" },
    y: { label: "Total", format: "percent" },
    points,
    marks: [
      ...(chosen ? [{ ...chosen, label: "This run", tone: "neutral" as const }] : []),
      ...(best.threshold === null
        ? []
        : [{ x: best.threshold, y: best.total, label: "Best", tone: "good" as const }]),
    ],
  };
}

/** The points that a reader asks for; the breakdown has all of them. */
function curveTable(curve: readonly Point[], threshold: number, best: Point): ReportBlock[] {
  const chosen = curve.find((point) => point.threshold === threshold);
  const rows: [string, Point | undefined][] = [
    ["Everything that the device answers", curve[0]],
    [`This run's threshold, ${threshold}`, chosen],
    ["Best", best],
    ["Cloud alone, the device not asked", curve.find((point) => point.threshold === null)],
  ];
  return tableOf(
    "Thresholds",
    [
      ["name", "Routing", "text"],
      ["total", "Total", "percent"],
      ["avgF1", "Mean F1", "score"],
      ["onDevice", "On device", "percent"],
      ["avgTime", "Mean latency", "ms"],
    ],
    rows.flatMap(([name, point]) => {
      if (!point) return [];
      const { total, avgF1, onDevice, avgTime } = point;
      return [{ name, total, avgF1, onDevice, avgTime }];
    }),
  );
}

function tagSections({ tags }: ToolsBreakdown): ReportSection[] {
  const byTag = tellingTags(tags);
  if (byTag.length === 0) return [];
  const blocks = byTag.flatMap(([tag, groups]) =>
    tableOf(
      tag,
      [
        ["name", tag, "text"],
        ["avgF1", "Mean F1", "score"],
        ["interval", "95% interval", "text"],
        ["total", "Total", "percent"],
        ["onDeviceRatio", "On device", "percent"],
        ["n", "Answers", "count"],
      ],
      groups.map(({ name, n, figures }): TableBlock["rows"][number] => ({
        ...{ name, n, interval: intervalText(figures["avgF1"]?.interval ?? null) },
        ...Object.fromEntries(Object.entries(figures).map(([id, { value }]) => [id, value])),
      })),
    ),
  );
  return [{ id: "tags", title: "By tag", intro: "What the dataset says of its samples.", blocks }];
}

function performanceSection(metrics: Metrics): ReportSection {
  return {
    id: "performance",
    title: "Performance",
    intro: "Times of answered requests, in milliseconds.",
    blocks: [...timesBlocks(metrics), ...ratesBlocks(metrics, toolsMetrics)],
  };
}
