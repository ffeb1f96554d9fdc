import { f1 } from "../../../measures/f1.ts";
import type { ExpectedCall } from "../sample.ts";
import { matchCalls, type PredictedCall } from "./match-calls.ts";

/** How the calls of a sample were met, each rate 0–1. */
export interface CallScore {
  matched: number;
  expected: number;
  predicted: number;
  precision: number;
  recall: number;
  f1: number;
  /** By expected call, the predicted one that met it. */
  matches: (number | null)[];
}

/**
 * Precision, recall and F1 of calls: matched / predicted, matched / expected, and their harmonic mean; all
 * 1 where none was expected and none made. `leftOut` calls were made beside those listed.
 * Source: docs/spec/tools.md, metrics.
 * @example callScore([], [], 0, false).f1 // 1
 */
export function callScore(
  expected: readonly ExpectedCall[],
  calls: readonly PredictedCall[],
  leftOut: number,
  strict: boolean,
): CallScore {
  const matches = matchCalls(expected, calls, strict);
  const matched = matches.filter((at) => at !== null).length;
  const counts = { matched, expected: expected.length, predicted: calls.length + leftOut };
  if (counts.expected + counts.predicted === 0) {
    return { ...counts, precision: 1, recall: 1, f1: 1, matches };
  }
  const precision = matched === 0 ? 0 : matched / counts.predicted;
  const recall = matched === 0 ? 0 : matched / counts.expected;
  return { ...counts, precision, recall, f1: f1(precision, recall), matches };
}
