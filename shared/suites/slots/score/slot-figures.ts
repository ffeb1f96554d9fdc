import { f1, ratio } from "../../../measures/f1.ts";
import type { SlotCounts } from "./slot-counts.ts";

/** The figures of a session, a run, or a part of it; all but the last two 0–1. */
export interface SlotFigures {
  precision: number;
  recall: number;
  f1: number;
  valuePrecision: number;
  valueRecall: number;
  valueF1: number;
  exactMatchCoverage: number;
  tokenPrecision: number;
  tokenRecall: number;
  tokenF1: number;
  bleu1: number;
  extraSlots: number;
  extraValues: number;
}

/**
 * What counts come to. By value a slot is right only if its value sets are equal; an expected slot
 * stored with other values is one slot too many and one missed, so that the denominators are those of
 * presence. Every ratio is 0 where its denominator is.
 * Source: docs/spec/slots.md, metrics.
 * @example slotFigures({ ...noSlots(), tp: 1, fn: 1 }).f1 // 0.666…
 */
export function slotFigures(counts: SlotCounts): SlotFigures {
  const expected = counts.tp + counts.fn;
  const predicted = counts.tp + counts.fp;
  const presence = rates(counts.tp, predicted, expected);
  const value = rates(counts.exact, predicted, expected);
  const token = rates(counts.sharedTokens, counts.predictedTokens, counts.expectedTokens);
  return {
    precision: presence.p,
    recall: presence.r,
    f1: presence.f,
    valuePrecision: value.p,
    valueRecall: value.r,
    valueF1: value.f,
    exactMatchCoverage: ratio(counts.exact, expected, 0),
    tokenPrecision: token.p,
    tokenRecall: token.r,
    tokenF1: token.f,
    bleu1: ratio(counts.bleuSum, expected, 0),
    extraSlots: counts.fp,
    extraValues: counts.extraValues,
  };
}

function rates(right: number, predicted: number, expected: number) {
  const p = ratio(right, predicted, 0);
  const r = ratio(right, expected, 0);
  return { p, r, f: f1(p, r) };
}
