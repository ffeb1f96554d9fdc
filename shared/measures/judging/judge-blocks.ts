import { type Judge, type Scale, scales, unitValue } from "../../contracts/judging/judge.ts";
import type { UnjudgedReason } from "../../contracts/judging/judgment.ts";
import type { Estimates } from "../../contracts/metric.ts";
import type { BarsBlock, MatrixBlock, NoteBlock, ReportBlock } from "../../contracts/report.ts";
import {
  asBrief,
  type BlockParts,
  blocksOf,
  cutTable,
  metricValue,
  note,
  tableOf,
} from "../report/charts/blocks.ts";
import { stepsLegend, type ToneSteps, toneOf } from "../report/charts/tone-steps.ts";
import { intervalText } from "../report/figures/figure-text.ts";
import type { JudgeRow, PanelRow } from "./breakdown.ts";

/**
 * Judges of a run, agreement of panels, and warnings about judges. `things` names the judged items.
 * @example judgeBlocks(tables, judges, "Answers").at(0)?.title
 */
export function judgeBlocks(
  tables: Judged,
  judges: readonly Pick<Judge, "id" | "label" | "scale">[],
  things: string,
): ReportBlock[] {
  const shownOf = (metric: string) =>
    judges.find(({ id }) => id === metric) ?? { label: metric, scale: "ratio" as const };
  const labelOf = (metric: string) => shownOf(metric).label;
  return blocksOf([
    judgeNotes(tables.judges, labelOf),
    agreementBlocks(tables, { shownOf, things }),
    cutTable(
      "Judges by metric",
      [
        ["metric", "Metric", "text", ({ metric }) => labelOf(metric)],
        ["judge", "Judge", "text", ({ judge }) => judgeName(judge)],
        // The scale differs from row to row.
        ["scale", "Scale", "text", ({ metric }) => scales[shownOf(metric).scale].join("–")],
        ["mean", "Mean value", "score"],
        ["judged", "Judged", "count"],
        ["failed", "Failed", "count", ({ asked, judged }) => asked - judged],
        ["cached", "Cached", "count"],
        ["flags", "Flags", "text", flagsOf],
      ],
      tables.judges,
    ),
  ]);
}

function flagsOf({ simulated, selfPreference, fallback }: JudgeRow): string | null {
  const flags = [
    ...(simulated ? ["simulated"] : []),
    ...(selfPreference ? ["same maker as the model"] : []),
    ...(fallback > 0 ? ["used as fallback"] : []),
  ];
  return flags.length === 0 ? null : flags.join(", ");
}

/**
 * Calls, tokens and cost of judging, separate from those of the model.
 * @example judgingTable(metrics)[0]?.title // "Calls, tokens and cost"
 */
export const judgingTable = (metrics: Estimates): ReportBlock[] =>
  tableOf(
    "Calls, tokens and cost",
    [
      ["requests", "Calls", "count", valueIn("judgeRequests")],
      ["cached", "Cached", "percent", valueIn("judgeCachedRate")],
      ["input", "Input tokens", "count", valueIn("judgeInputTokens")],
      ["output", "Output tokens", "count", valueIn("judgeOutputTokens")],
      ["cost", "Cost", "usd", valueIn("judgeCostUsd")],
    ],
    [metrics],
  );

const valueIn = (id: string) => (metrics: Estimates) => metricValue(metrics, id);

type Rows = readonly JudgeRow[];
type LabelOf = (metric: string) => string;

/**
 * Warnings about the judges of a run: simulated judges, judges by the model's maker, fallbacks.
 * @example judgeNotes([], labelOf) // []
 */
const judgeNotes = (judges: Rows, labelOf: LabelOf): BlockParts => [
  simulatedNote(judges),
  selfPreferenceNote(judges, labelOf),
  fallbackNote(judges, labelOf),
];

const namesOf = (rows: Rows) => [...new Set(rows.map(({ judge }) => judgeName(judge)))].join(", ");

const metricsOf = (rows: Rows, labelOf: LabelOf) =>
  [...new Set(rows.map(({ metric }) => labelOf(metric).toLowerCase()))].join(", ");

function simulatedNote(judges: Rows): NoteBlock | null {
  const simulated = judges.filter((row) => row.simulated);
  if (simulated.length === 0) return null;
  const text = `${namesOf(simulated)}: not a language model, but a program that simulates one. These numbers show how the suite works and say nothing about real judges.`;
  return note("Simulated judges", text, "fair");
}

function selfPreferenceNote(judges: Rows, labelOf: LabelOf): NoteBlock | null {
  const own = judges.filter(({ selfPreference }) => selfPreference);
  if (own.length === 0) return null;
  const text = `${namesOf(own)} comes from the same maker as the model: judges tend to prefer what reads like their own answers. It judged ${metricsOf(own, labelOf)}.`;
  return { ...note("Self-preference", text, "fair"), brief: true };
}

function fallbackNote(judges: Rows, labelOf: LabelOf): NoteBlock | null {
  const fallbacks = judges.filter(({ fallback }) => fallback > 0);
  if (fallbacks.length === 0) return null;
  const text = `${namesOf(fallbacks)} judged ${metricsOf(fallbacks, labelOf)} in place of judges whose provider has no key here, or no longer has the model.`;
  return note("Fallback", text, "fair");
}

/**
 * A judge's name in reports.
 * @example judgeName(null) // "not reported"
 */
export const judgeName = (judge: string | null): string => judge ?? "not reported";

/** Why a value is missing, as shown in reports. */
export const unjudgedText: Readonly<Record<UnjudgedReason, string>> = {
  no_answer: "No answer",
  no_judge: "No judge with a key",
  no_such_model: "The judge's provider no longer has the model",
  judge_failed: "Calls to the judge failed",
  judge_refused: "The judge refused",
  invalid_judgment: "The judge's replies were not valid judgments",
  not_given: "No judgment was given",
};

/** Facts about the judges of a run. */
interface Judged {
  judges: readonly JudgeRow[];
  panels: readonly PanelRow[];
}

/** The label for readers. */
interface Words {
  shownOf(metric: string): { label: string; scale: Scale };
  /** What was judged, such as "Answers". */
  things: string;
}

/** Maximum number of judges in one chart: as many as readers can distinguish. */
const mostJudges = 8;

/** Source: Krippendorff 2004, chapter 11: from 0.8 reliable, from 2/3 for tentative conclusions. */
const alphaSteps = [
  [0.8, "good"],
  [2 / 3, "fair"],
] as const satisfies ToneSteps;

/**
 * Agreement of panels by metric, and the values of each judge; empty if no two judges judged the same item.
 * Source: docs/spec/memory.md, panels.
 * @example agreementBlocks({ judges: [], panels: [] }, words) // []
 */
const agreementBlocks = (judged: Judged, words: Words): BlockParts => [
  panelBars(judged, words),
  panelTable(judged, words),
  judgeMatrix(judged, words),
];

function panelBars({ panels }: Judged, { shownOf }: Words): BarsBlock | null {
  if (panels.length < 2) return null;
  const bars = panels.map(({ metric, alpha, answers }) => ({
    label: shownOf(metric).label,
    n: answers,
    tone: toneOf(alpha.value, alphaSteps),
    value: alpha.value,
    interval: alpha.interval,
  }));
  const legend = stepsLegend(alphaSteps, "score");
  const title = "Krippendorff's alpha by metric";
  return { kind: "bars", title, format: "score", legend, bars, brief: true };
}

/** For a single metric, instead of a chart with one bar. */
function panelTable({ panels }: Judged, { shownOf, things }: Words): ReportBlock[] {
  if (panels.length !== 1) return [];
  return asBrief(
    tableOf(
      "Agreement of the panel",
      [
        ["metric", "Metric", "text", ({ metric }) => shownOf(metric).label],
        ["alpha", "Krippendorff's alpha", "score", ({ alpha }) => alpha.value],
        ["interval", "95% interval", "figure", ({ alpha }) => intervalText(alpha.interval)],
        ["answers", things, "count"],
        ["ratings", "Judgments", "count"],
      ],
      panels,
    ),
  );
}

/** The values of each judge, for metrics with several judges; the table has all metrics. */
function judgeMatrix({ judges: rows }: Judged, { shownOf }: Words): MatrixBlock | null {
  const judged = rows.filter((row) => row.judged > 0);
  const isShared = ({ metric, judge }: JudgeRow) =>
    judged.some((other) => other.metric === metric && other.judge !== judge);
  const judges = judged.filter(isShared);
  const metrics = [...new Set(judges.map(({ metric }) => metric))];
  const names = [...new Set(judges.map(({ judge }) => judgeName(judge)))].slice(0, mostJudges);
  if (metrics.length < 2) return null;
  const cell = (metric: string, name: string) => {
    const row = judges.find((its) => its.metric === metric && judgeName(its.judge) === name);
    const mean = row?.mean ?? null;
    return mean === null ? null : unitValue(mean, shownOf(metric).scale);
  };
  return {
    kind: "matrix",
    title: "Mean value by metric and judge, as a share of its scale",
    rows: { label: "Metric", names: metrics.map((metric) => shownOf(metric).label) },
    columns: { label: "Judge", names },
    cells: metrics.map((metric) => names.map((name) => cell(metric, name))),
    format: "score",
    scale: "share",
  };
}
