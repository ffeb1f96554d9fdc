import type { UnjudgedReason } from "../../contracts/judgment.ts";
import type { Estimate } from "../../contracts/metric.ts";
import type { NoteBlock, ReportSection, TableBlock } from "../../contracts/report.ts";
import { judges } from "../../judges/judges.ts";
import { brief, intervalText, metricValue, tableOf } from "../../measures/report/blocks.ts";
import { ratesBlocks, timesBlocks } from "../../measures/report/performance-blocks.ts";
import type { MemoryBreakdown } from "./breakdown.ts";
import { memoryMetrics } from "./metrics.ts";

type Metrics = Readonly<Record<string, Estimate>>;
type Row = TableBlock["rows"][number];

const labelOf = (metric: string) => judges.find(({ id }) => id === metric)?.label ?? metric;
const nameOf = (judge: string | null) => judge ?? "not said";

/** Twelve metrics, several judges each: a reader looks through a few dozen. */
const mostJudgeRows = 60;

const note = (title: string, text: string): NoteBlock => ({
  ...{ kind: "note", title, tone: "fair", text },
});

/**
 * Who judged, how panels agree, and what to hold against a judge.
 * @example judgesSection(tables).id // "judges"
 */
export function judgesSection(tables: MemoryBreakdown): ReportSection {
  return {
    id: "judges",
    title: "Judges",
    intro:
      "Which judge gave each number. Judges answer at temperature 0, by a fixed prompt whose hash is kept with every judgment.",
    blocks: [
      ...simulatedNote(tables),
      ...selfPreferenceNote(tables),
      ...fallbackNote(tables),
      ...tableOf(
        "Judges by metric",
        [
          ["metric", "Metric", "text"],
          ["judge", "Judge", "text"],
          ["mean", "Mean value", "score"],
          ["judged", "Judged", "count"],
          ["failed", "Failed", "count"],
          ["cached", "Kept from before", "count"],
          ["flags", "Flags", "text"],
        ],
        tables.judges.map(judgeRow),
        mostJudgeRows,
      ),
      ...panelTable(tables),
    ],
  };
}

type Judge = MemoryBreakdown["judges"][number];

function judgeRow({ metric, judge, mean, asked, judged, cached, ...its }: Judge): Row {
  const flags = [
    ...(its.simulated ? ["simulated"] : []),
    ...(its.selfPreference ? ["same maker as the model"] : []),
    ...(its.fallback > 0 ? ["stood in for another"] : []),
  ];
  return {
    ...{ metric: labelOf(metric), judge: nameOf(judge), mean, judged, failed: asked - judged },
    ...{ cached, flags: flags.length === 0 ? null : flags.join(", ") },
  };
}

const listed = (rows: readonly Judge[]) =>
  [...new Set(rows.map(({ judge }) => nameOf(judge)))].join(", ");

function simulatedNote({ judges: rows }: MemoryBreakdown): NoteBlock[] {
  const simulated = rows.filter((row) => row.simulated);
  if (simulated.length === 0) return [];
  const text = `${listed(simulated)}: no language model, but a program that plays one. These numbers show how the suite works and say nothing about real judges.`;
  return [note("Simulated judges", text)];
}

function selfPreferenceNote({ judges: rows }: MemoryBreakdown): NoteBlock[] {
  const own = rows.filter(({ selfPreference }) => selfPreference);
  if (own.length === 0) return [];
  const text = `${listed(own)} comes from the same maker as the model: judges tend to prefer what reads like their own answers. It judged ${[...new Set(own.map(({ metric }) => labelOf(metric).toLowerCase()))].join(", ")}.`;
  return brief([note("Self-preference", text)]);
}

function fallbackNote({ judges: rows }: MemoryBreakdown): NoteBlock[] {
  const stood = rows.filter(({ fallback }) => fallback > 0);
  if (stood.length === 0) return [];
  const text = `${listed(stood)} judged ${[...new Set(stood.map(({ metric }) => labelOf(metric).toLowerCase()))].join(", ")} in place of judges whose provider has no key here.`;
  return [note("Fallback", text)];
}

function panelTable({ panels }: MemoryBreakdown) {
  if (panels.length === 0) return [];
  return tableOf(
    "Agreement of the panel",
    [
      ["metric", "Metric", "text"],
      ["alpha", "Krippendorff's alpha", "score"],
      ["interval", "95% interval", "text"],
      ["answers", "Answers", "count"],
      ["ratings", "Judgments", "count"],
    ],
    panels.map(
      ({ metric, alpha, answers, ratings }): Row => ({
        ...{ metric: labelOf(metric), alpha: alpha.value, interval: intervalText(alpha.interval) },
        ...{ answers, ratings },
      }),
    ),
  );
}

/**
 * Judges against people, where the dataset has people's scores; none else.
 * @example peopleSections(tables)[0]?.id // "people"
 */
export function peopleSections({ judges: rows }: MemoryBreakdown): ReportSection[] {
  const calibrated = rows.flatMap(({ metric, judge, calibration }): Row[] => {
    if (calibration === null) return [];
    const { n, kappa, meanAbsoluteError: error } = calibration;
    return [
      {
        ...{ metric: labelOf(metric), judge: nameOf(judge), n, kappa: kappa.value },
        ...{ kappaInterval: intervalText(kappa.interval), error: error.value },
        errorInterval: intervalText(error.interval),
      },
    ];
  });
  if (calibrated.length === 0) return [];
  return [
    {
      id: "people",
      title: "Judges and people",
      intro:
        "Each judge's values against the scores that people gave to the dataset's samples. It says something of a judge where these answers are the ones that people scored.",
      blocks: brief(
        tableOf(
          "Calibration",
          [
            ["metric", "Metric", "text"],
            ["judge", "Judge", "text"],
            ["n", "Answers", "count"],
            ["kappa", "Weighted kappa", "score"],
            ["kappaInterval", "95% interval", "text"],
            ["error", "Mean absolute error", "score"],
            ["errorInterval", "95% interval", "text"],
          ],
          calibrated,
          mostJudgeRows,
        ),
      ),
    },
  ];
}

const reasons: Readonly<Record<UnjudgedReason, string>> = {
  no_answer: "The request for an answer failed",
  no_judge: "No judge with a key",
  judge_failed: "Calls to the judge failed",
  judge_refused: "The judge refused",
  invalid_judgment: "The judge's replies were no judgment",
  not_given: "No judgment was given",
};

/**
 * What was not judged, and why.
 * @example unjudgedSection(metrics, tables).id // "unjudged"
 */
export function unjudgedSection(metrics: Metrics, tables: MemoryBreakdown): ReportSection {
  const { unjudged, answers } = tables;
  const rate = metricValue(metrics, "unjudgedRate");
  const invented = metricValue(metrics, "unsupportedEvidence") ?? 0;
  const text =
    unjudged.length === 0
      ? `Every metric was judged for all of ${answers} answers.`
      : `${(100 * (rate ?? 0)).toFixed(1)}% of all values are missing. They enter no mean; each metric's coverage says how much of the run it rests on.`;
  return {
    id: "unjudged",
    title: "Unjudged",
    intro: "A value that no judge gave is left out, and never made up.",
    blocks: [
      ...brief([
        { kind: "note" as const, title: "Share unjudged", tone: "neutral" as const, text },
      ]),
      ...(unjudged.length === 0 ? [] : unjudgedTable(unjudged)),
      ...(invented === 0
        ? []
        : [
            note(
              "Invented quotations",
              `Judges quoted ${invented} passages that the answers do not have. They were thrown away and count for nothing.`,
            ),
          ]),
    ],
  };
}

const unjudgedTable = (rows: MemoryBreakdown["unjudged"]) =>
  tableOf(
    "Unjudged by metric",
    [
      ["metric", "Metric", "text"],
      ["reason", "Why", "text"],
      ["count", "Answers", "count"],
      ["share", "Share", "percent"],
    ],
    rows.map(({ metric, reason, count, share }) => ({
      ...{ metric: labelOf(metric), reason: reasons[reason], count, share },
    })),
    mostJudgeRows,
  );

const judgingIds = [
  ...(["generationTime", "evaluationTime", "totalTime"] as const),
  ...(["generationTimeMean", "evaluationTimeMean"] as const),
] as const;

/**
 * What the model took, and apart from it what its judges took.
 * @example performanceSections(metrics)[1]?.id // "judging"
 */
export function performanceSections(metrics: Metrics): ReportSection[] {
  const value = (id: string) => metricValue(metrics, id);
  return [
    {
      id: "performance",
      title: "Performance",
      intro: "Times of answered requests, in milliseconds, judging aside.",
      blocks: [...timesBlocks(metrics), ...ratesBlocks(metrics, memoryMetrics)],
    },
    {
      id: "judging",
      title: "Judging",
      intro: "What judging took; none of it is part of the model's own figures.",
      blocks: [
        ...tableOf(
          "Time of the run",
          [
            ["label", "Time", "text"],
            ["value", "Value", "ms"],
          ],
          judgingIds.map((id) => ({
            label: memoryMetrics.find((metric) => metric.id === id)?.label ?? id,
            value: value(id),
          })),
        ),
        ...tableOf(
          "Calls, tokens and cost",
          [
            ["requests", "Calls", "count"],
            ["cached", "Kept from before", "percent"],
            ["input", "Input tokens", "count"],
            ["output", "Output tokens", "count"],
            ["cost", "Cost", "usd"],
          ],
          [
            {
              ...{ requests: value("judgeRequests"), cached: value("judgeCachedRate") },
              ...{ input: value("judgeInputTokens"), output: value("judgeOutputTokens") },
              cost: value("judgeCostUsd"),
            },
          ],
        ),
      ],
    },
  ];
}
