import { unitValue } from "../../../contracts/judging/judge.ts";
import type {
  BarsBlock,
  MatrixBlock,
  ReportBlock,
  ReportSection,
  StackBlock,
  TableBlock,
  Tone,
} from "../../../contracts/report.ts";
import { judges } from "../../../judges/judges.ts";
import { judgeName } from "../../../measures/judging/judge-blocks.ts";
import { asBrief, asFolded, tableOf } from "../../../measures/report/charts/blocks.ts";
import { stepsLegend, toneOf } from "../../../measures/report/charts/tone-steps.ts";

import { figureText, intervalText } from "../../../measures/report/figures/figure-text.ts";
import type { MemoryBreakdown } from "../sum/breakdown.ts";
import {
  judgedLabel,
  type Metrics,
  type ReportFacts,
  scaleFormat,
  scaleText,
  steps,
} from "./report-facts.ts";

type Score = MemoryBreakdown["scores"][number];

/**
 * Every judged metric on a common scale and on its own, with its spread over samples and who judged it.
 * Source: docs/spec/memory.md, the twelve metrics.
 * @example metricSection(facts).id // "metrics"
 */
export function metricSection({ metrics, breakdown }: ReportFacts): ReportSection {
  const { scores } = breakdown;
  return {
    id: "metrics",
    title: "The metrics",
    intro:
      "Shares from 0 to 1, and levels from 1 to 5. Memory F1 and groundedness are worked out over all samples together; median and spread are over samples.",
    blocks: [
      profile(metrics),
      ...asBrief(
        tableOf(
          "Metrics and their judges",
          [
            ["label", "Metric", "text"],
            ["scale", "Scale", "figure"],
            ["value", "Value", "figure"],
            ["interval", "95% interval", "figure"],
            ["coverage", "Judged", "percent"],
            ["judges", "Judged by", "text"],
          ],
          scores.map((row) => scoreRow(row, metrics, breakdown)),
        ),
      ),
      ...levelMatrix(scores),
      ...asFolded([...shareTable(scores), ...spreadTable(scores)]),
    ],
  };
}

/** Levels as shares, so that all metrics share one axis. */
function profile(metrics: Metrics): BarsBlock {
  return {
    kind: "bars",
    title: "Profile, levels taken as (x − 1)/4",
    format: "score",
    legend: stepsLegend(steps, "score"),
    bars: judges.map(({ scale, figures: [{ metric }] }) => {
      const { value = null, interval = null, n = 0 } = metrics[metric.id] ?? {};
      const share = value === null ? null : unitValue(value, scale);
      return {
        label: metric.label,
        value: share,
        n,
        tone: toneOf(share, steps),
        interval:
          interval === null ? null : [unitValue(interval[0], scale), unitValue(interval[1], scale)],
      };
    }),
  };
}

function scoreRow(
  { metric, label, scale, coverage }: Score,
  metrics: Metrics,
  { judges: rows }: MemoryBreakdown,
): TableBlock["rows"][number] {
  const { value = null, interval = null } = metrics[metric] ?? {};
  const names = rows
    .filter((row) => row.metric === metric && row.judged > 0)
    .map(({ judge }) => judgeName(judge));
  return {
    label,
    scale: scaleText[scale],
    value: figureText(value, scaleFormat[scale]),
    coverage,
    interval: intervalText(interval, scaleFormat[scale]),
    judges: names.length === 0 ? null : names.join(", "),
  };
}

const levels = ["1", "2", "3", "4", "5"];

/** Of the answers that were graded by a metric, the share at each level. */
function levelMatrix(scores: readonly Score[]): MatrixBlock[] {
  const rows = scores.filter(({ scale, judged }) => scale === "level" && judged > 0);
  if (rows.length === 0) return [];
  return [
    {
      kind: "matrix",
      title: "Answers by level",
      format: "percent",
      scale: "share",
      rows: { label: "Metric", names: rows.map(({ label }) => label) },
      columns: { label: "Level", names: levels },
      cells: rows.map(({ levels: counts, judged }) => counts.map((count) => count / judged)),
    },
  ];
}

const shares = ["0", "0.25", "0.5", "0.75", "1"];

/** Shares have no levels of their own: they are counted where they are next to. */
function shareTable(scores: readonly Score[]): ReportBlock[] {
  const rows = scores.filter(({ scale, judged }) => scale === "ratio" && judged > 0);
  if (rows.length === 0) return [];
  return tableOf(
    "Answers by the share next to their value",
    [
      ["label", "Metric", "text"],
      ...shares.map((share, i): [string, string, "count"] => [`at${i}`, share, "count"]),
    ],
    rows.map(({ label, levels: counts }) => ({
      label,
      ...Object.fromEntries(counts.map((count, i) => [`at${i}`, count])),
    })),
  );
}

const spreadFigures = [...(["mean", "median", "sd", "min", "max"] as const)];
const spreadLabels = { mean: "Mean", median: "Median", sd: "SD", min: "Min", max: "Max" } as const;

function spreadTable(scores: readonly Score[]): ReportBlock[] {
  return tableOf(
    "Spread over samples",
    [
      ["label", "Metric", "text"],
      ["scale", "Scale", "figure"],
      ...spreadFigures.map((id): [string, string, "figure"] => [id, spreadLabels[id], "figure"]),
    ],
    scores.map((row) => ({
      label: row.label,
      scale: scaleText[row.scale],
      ...Object.fromEntries(
        spreadFigures.map((id) => [id, figureText(row[id], scaleFormat[row.scale])]),
      ),
    })),
  );
}

/** By rank, the best first; of a second one on it is no longer good. */
const labelTones = [
  "excellent",
  "fair",
  "poor",
  "veryPoor",
  "kind2",
  "kind5",
] as const satisfies readonly Tone[];

/**
 * Whatever else judges count and name: contradictions, validation, warmth; of every metric that has any.
 * Source: docs/spec/memory.md, the twelve metrics.
 * @example countedSection(facts).id // "counted"
 */
export function countedSection({ metrics, breakdown: { labels } }: ReportFacts): ReportSection {
  const named = new Map<string, MemoryBreakdown["labels"]>();
  for (const row of labels) {
    const key = `${row.name} ${row.metric}`;
    named.set(key, [...(named.get(key) ?? []), row]);
  }
  const stacks = [...named.values()].map((rows): StackBlock => {
    const { name, metric } = rows[0]!;
    return {
      kind: "stack",
      title: `${judgedLabel(metric)}: ${name}`,
      unit: "answers",
      parts: rows.map(({ label: word, count }, i) => ({
        label: word,
        count,
        definition: `The judge calls the ${name} ${word}.`,
        tone: labelTones[Math.min(i, labelTones.length - 1)]!,
      })),
    };
  });
  return {
    id: "counted",
    title: "Contradictions, validation, warmth",
    intro: "What judges count in answers, in addition to their grades.",
    blocks: [...stacks, ...tableOf("Counted in answers", countedColumns, countedRows(metrics))],
  };
}

const countedColumns: Parameters<typeof tableOf>[1] = [
  ["label", "What", "text"],
  ["value", "Value", "figure"],
  ["interval", "95% interval", "figure"],
  ["n", "Samples judged", "count"],
];

/** Units differ from row to row, so values are printed as text. */
function countedRows(metrics: ReportFacts["metrics"]): TableBlock["rows"] {
  const shown = new Set(["memory_utilization", "groundedness"]);
  return judges.flatMap(({ id, figures: [, ...more] }) =>
    more
      .filter(({ metric }) => !shown.has(id) || metric.format === "count")
      .map(({ metric }) => {
        const { value = null, interval = null, n = 0 } = metrics[metric.id] ?? {};
        return {
          label: metric.label,
          n,
          value: figureText(value, metric.format),
          interval: intervalText(interval, metric.format),
        };
      }),
  );
}
