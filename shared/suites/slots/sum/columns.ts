import { columnAt } from "../../../measures/run-sums/column-at.ts";
import type { Statistic } from "../../../stats/statistics.ts";
import type { SlotCounts } from "../score/slot-counts.ts";
import { type SlotFigures, slotFigures } from "../score/slot-figures.ts";

/** What is summed of a session, or of a topic in it. */
export type SlotColumn = keyof SlotCounts | "sessions" | "sessionF1" | "judgedSlots" | "judgeSum";

/** What is summed, in order. */
export const slotColumns: readonly SlotColumn[] = [
  ...(["sessions", "tp", "fp", "fn", "exact"] as const),
  ...(["expectedTokens", "predictedTokens", "sharedTokens", "extraValues"] as const),
  ...(["judgedSlots", "bleuSum", "sessionF1", "judgeSum"] as const),
];

const at = columnAt(slotColumns);

/**
 * Summed columns as counts.
 * @example countsIn(sums).tp
 */
function countsIn(sums: Float64Array): SlotCounts {
  return {
    tp: sums[at.tp]!,
    fp: sums[at.fp]!,
    fn: sums[at.fn]!,
    exact: sums[at.exact]!,
    expectedTokens: sums[at.expectedTokens]!,
    predictedTokens: sums[at.predictedTokens]!,
    sharedTokens: sums[at.sharedTokens]!,
    bleuSum: sums[at.bleuSum]!,
    extraValues: sums[at.extraValues]!,
  };
}

const figureIds = [
  ...(["f1", "precision", "recall", "valuePrecision", "valueRecall", "valueF1"] as const),
  ...(["exactMatchCoverage", "tokenPrecision", "tokenRecall", "tokenF1", "bleu1"] as const),
  ...(["extraSlots", "extraValues"] as const),
] satisfies (keyof SlotFigures)[];

/**
 * The micro figures of a run or a part of it by metric id, from summed columns.
 * Source: docs/spec/slots.md, metrics.
 * @example slotStatistics["f1"]!(sums) // 0–1
 */
export const slotStatistics: Readonly<Record<string, Statistic>> = Object.fromEntries(
  figureIds.map((id) => [id, (sums: Float64Array) => slotFigures(countsIn(sums))[id]]),
);

/** How many slots are expected beside them: none of a topic that a model made up. */
export const topicStatistics: Readonly<Record<string, Statistic>> = {
  ...slotStatistics,
  expectedSlots: (sums) => sums[at.tp]! + sums[at.fn]!,
};

/** The mean F1 of sessions beside them, and what judges say of those that were judged. */
export const runStatistics: Readonly<Record<string, Statistic>> = {
  ...slotStatistics,
  f1Macro: (sums) => (sums[at.sessions] === 0 ? null : sums[at.sessionF1]! / sums[at.sessions]!),
  judgeScore: (sums) =>
    sums[at.judgedSlots] === 0 ? null : sums[at.judgeSum]! / sums[at.judgedSlots]!,
};
