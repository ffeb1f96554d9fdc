import { type Judge, scales, unitValue } from "../../contracts/judge.ts";
import type { UnjudgedReason } from "../../contracts/judgment.ts";
import type { Estimate } from "../../contracts/metric.ts";
import type {
  BarsBlock,
  MatrixBlock,
  NoteBlock,
  ReportBlock,
  TableBlock,
} from "../../contracts/report.ts";
import {
  brief,
  intervalText,
  metricValue,
  type ToneSteps,
  tableOf,
  toneOf,
} from "../report/blocks.ts";
import type { JudgeRow, PanelRow } from "./breakdown.ts";

type Row = TableBlock["rows"][number];

/** What of judges tables show. */
type Shown = Pick<Judge, "id" | "label" | "scale">;

interface Tables {
  judges: readonly JudgeRow[];
  panels: readonly PanelRow[];
}

/** Judges side by side that can still be told apart. */
const mostJudges = 8;

/** Source: Krippendorff 2004, chapter 11: from 0.8 reliable, from 2/3 for tentative conclusions. */
const alphaSteps = [
  [0.8, "good"],
  [2 / 3, "fair"],
] as const satisfies ToneSteps;

/**
 * A judge's name as reports have it.
 * @example judgeName(null) // "not said"
 */
export const judgeName = (judge: string | null): string => judge ?? "not said";

/**
 * Who judged, how panels agree, and what to hold against a judge. `things` is what was judged.
 * @example judgeBlocks(tables, judges, "Answers").at(0)?.title
 */
export function judgeBlocks(tables: Tables, judges: readonly Shown[], things: string) {
  const shownOf = (metric: string) => judges.find(({ id }) => id === metric);
  const labelOf = (metric: string) => shownOf(metric)?.label ?? metric;
  const blocks: ReportBlock[] = [
    ...simulatedNote(tables),
    ...selfPreferenceNote(tables, labelOf),
    ...fallbackNote(tables, labelOf),
    ...panelBars(tables, labelOf),
    ...judgeMatrix(tables, shownOf),
    ...tableOf(
      "Judges by metric",
      [
        ["metric", "Metric", "text"],
        ["judge", "Judge", "text"],
        ["scale", "Scale", "text"],
        ["mean", "Mean value", "score"],
        ["judged", "Judged", "count"],
        ["failed", "Failed", "count"],
        ["cached", "Kept from before", "count"],
        ["flags", "Flags", "text"],
      ],
      tables.judges.map((row) => ({
        ...{ metric: labelOf(row.metric), scale: scaleText(shownOf(row.metric)?.scale ?? "ratio") },
        ...judgeRow(row),
      })),
    ),
    ...panelTable(tables, labelOf, things),
  ];
  return blocks;
}

/** Scales differ from row to row. */
const scaleText = (scale: Judge["scale"]): string => scales[scale].join("–");

function judgeRow({ judge, mean, asked, judged, cached, ...its }: JudgeRow): Row {
  const flags = [
    ...(its.simulated ? ["simulated"] : []),
    ...(its.selfPreference ? ["same maker as the model"] : []),
    ...(its.fallback > 0 ? ["stood in for another"] : []),
  ];
  return {
    ...{ judge: judgeName(judge), mean, judged, failed: asked - judged, cached },
    flags: flags.length === 0 ? null : flags.join(", "),
  };
}

const note = (title: string, text: string): NoteBlock => ({
  ...{ kind: "note", title, tone: "fair", text },
});

const namesOf = (rows: readonly JudgeRow[]) =>
  [...new Set(rows.map(({ judge }) => judgeName(judge)))].join(", ");

const metricsOf = (rows: readonly JudgeRow[], labelOf: (metric: string) => string) =>
  [...new Set(rows.map(({ metric }) => labelOf(metric).toLowerCase()))].join(", ");

function simulatedNote({ judges }: Tables): NoteBlock[] {
  const simulated = judges.filter((row) => row.simulated);
  if (simulated.length === 0) return [];
  const text = `${namesOf(simulated)}: no language model, but a program that plays one. These numbers show how the suite works and say nothing about real judges.`;
  return [note("Simulated judges", text)];
}

function selfPreferenceNote({ judges }: Tables, labelOf: (metric: string) => string): NoteBlock[] {
  const own = judges.filter(({ selfPreference }) => selfPreference);
  if (own.length === 0) return [];
  const text = `${namesOf(own)} comes from the same maker as the model: judges tend to prefer what reads like their own answers. It judged ${metricsOf(own, labelOf)}.`;
  return brief([note("Self-preference", text)]);
}

function fallbackNote({ judges }: Tables, labelOf: (metric: string) => string): NoteBlock[] {
  const stood = judges.filter(({ fallback }) => fallback > 0);
  if (stood.length === 0) return [];
  const text = `${namesOf(stood)} judged ${metricsOf(stood, labelOf)} in place of judges whose provider has no key here.`;
  return [note("Fallback", text)];
}

function panelTable({ panels }: Tables, labelOf: (metric: string) => string, things: string) {
  if (panels.length === 0) return [];
  const blocks = tableOf(
    "Agreement of the panel",
    [
      ["metric", "Metric", "text"],
      ["alpha", "Krippendorff's alpha", "score"],
      ["interval", "95% interval", "text"],
      ["answers", things, "count"],
      ["ratings", "Judgments", "count"],
    ],
    panels.map(
      ({ metric, alpha, answers, ratings }): Row => ({
        ...{ metric: labelOf(metric), alpha: alpha.value, interval: intervalText(alpha.interval) },
        ...{ answers, ratings },
      }),
    ),
  );
  return brief<ReportBlock>(blocks);
}

/** A single metric is in the table of agreement. */
function panelBars({ panels }: Tables, labelOf: (metric: string) => string): BarsBlock[] {
  if (panels.length < 2) return [];
  const bars = panels.map(({ metric, alpha, answers }) => ({
    ...{ label: labelOf(metric), n: answers, tone: toneOf(alpha.value, alphaSteps) },
    ...{ value: alpha.value, interval: alpha.interval },
  }));
  return [{ kind: "bars", title: "Krippendorff's alpha by metric", format: "score", bars }];
}

/** What each judge gave by each metric; of one judge, or one metric, the table says it all. */
function judgeMatrix(
  { judges }: Tables,
  shownOf: (metric: string) => Shown | undefined,
): MatrixBlock[] {
  const metrics = [...new Set(judges.map(({ metric }) => metric))];
  const names = [...new Set(judges.map(({ judge }) => judgeName(judge)))].slice(0, mostJudges);
  if (metrics.length < 2 || names.length < 2) return [];
  const cell = (metric: string, name: string) => {
    const row = judges.find((its) => its.metric === metric && judgeName(its.judge) === name);
    const mean = row?.mean ?? null;
    return mean === null ? null : unitValue(mean, shownOf(metric)?.scale ?? "ratio");
  };
  return [
    {
      ...{ kind: "matrix", title: "Mean value by metric and judge, as a share of its scale" },
      rows: { label: "Metric", names: metrics.map((metric) => shownOf(metric)?.label ?? metric) },
      columns: { label: "Judge", names },
      cells: metrics.map((metric) => names.map((name) => cell(metric, name))),
      ...{ format: "score", scale: "share" },
    },
  ];
}

/** Why something has no value, as reports say it. */
export const whyUnjudged: Readonly<Record<UnjudgedReason, string>> = {
  no_answer: "No answer was had",
  no_judge: "No judge with a key",
  judge_failed: "Calls to the judge failed",
  judge_refused: "The judge refused",
  invalid_judgment: "The judge's replies were no judgment",
  not_given: "No judgment was given",
};

/**
 * What judging took, apart from what the model took.
 * @example judgingTable(metrics)[0]?.title // "Calls, tokens and cost"
 */
export function judgingTable(metrics: Readonly<Record<string, Estimate>>): ReportBlock[] {
  const value = (id: string) => metricValue(metrics, id);
  return tableOf(
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
  );
}
