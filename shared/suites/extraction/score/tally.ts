import { f1, ratio } from "../../../measures/text/token-f1.ts";

/** Counts of the fields of one or more samples. */
export type Tally = ReturnType<typeof emptyTally>;

/** Counts of no fields. @example emptyTally().exact // 0 */
export function emptyTally() {
  return {
    exact: 0,
    partial: 0,
    incorrect: 0,
    missed: 0,
    spurious: 0,
    /** Fields in `exact` that are equal after normalisation. */
    identical: 0,
    /** Exact, or with a composite of at least 0.3. */
    lenient: 0,
    /** Predicted fields with the correct type. */
    typeCorrect: 0,
  };
}

/**
 * Adds the counts of another tally. Changes `tally`.
 * @example addTally(emptyTally(), detail)
 */
export function addTally(tally: Tally, other: Tally): void {
  for (const name of Object.keys(tally) as (keyof Tally)[]) tally[name] += other[name];
}

/**
 * Expected and predicted fields of a tally.
 * @example fieldCounts({ ...emptyTally(), exact: 1, missed: 1 }) // { expected: 2, predicted: 1 }
 */
export function fieldCounts(tally: Tally): { expected: number; predicted: number } {
  const matched = tally.exact + tally.partial + tally.incorrect;
  return { expected: matched + tally.missed, predicted: matched + tally.spurious };
}

/**
 * Precision, recall and F1 in the three modes, type accuracy, hallucination and omission rate of a
 * tally, each 0–1. Without any field all but the last two are 1; without predicted fields precision and type
 * accuracy are 0, and so is recall without expected ones; hallucination and omission rates with denominator 0 are
 * 0.
 * Source: docs/spec/extraction.md, section 5.
 * @example fieldRates({ ...emptyTally(), exact: 1, missed: 1 }).partialRecall // 0.5
 */
export function fieldRates(tally: Tally) {
  const { expected, predicted } = fieldCounts(tally);
  const none = expected + predicted === 0 ? 1 : 0;
  const strict = rates(tally.identical, expected, predicted, none);
  const partial = rates(tally.exact + 0.5 * tally.partial, expected, predicted, none);
  const lenient = rates(tally.lenient, expected, predicted, none);
  return {
    strictPrecision: strict.p,
    strictRecall: strict.r,
    strictF1: strict.f,
    partialPrecision: partial.p,
    partialRecall: partial.r,
    partialF1: partial.f,
    lenientPrecision: lenient.p,
    lenientRecall: lenient.r,
    lenientF1: lenient.f,
    typeAccuracy: ratio(tally.typeCorrect, predicted, none),
    hallucinationRate: ratio(tally.spurious, predicted, 0),
    omissionRate: ratio(tally.missed, expected, 0),
  };
}

/** Sums of the weights of a sample's fields. */
export interface WeightedTally {
  /** Weights of exact fields, and half of those of partial ones. */
  correct: number;
  expected: number;
  predicted: number;
}

/**
 * Partial precision, recall and F1 of a sample whose fields differ in weight, 0–1; empty without weights.
 * @example weightedRates({ correct: 3, expected: 4, predicted: 3 }).partialRecall // 0.75
 */
export function weightedRates(weighted: WeightedTally | null) {
  if (weighted === null) return {};
  const { correct, expected, predicted } = weighted;
  const none = expected + predicted === 0 ? 1 : 0;
  const { p, r, f } = rates(correct, expected, predicted, none);
  return { partialPrecision: p, partialRecall: r, partialF1: f };
}

/** Rates of the fields of one or more samples; all 0–1. */
export type FieldRates = ReturnType<typeof fieldRates>;

function rates(correct: number, expected: number, predicted: number, none: number) {
  const p = ratio(correct, predicted, none);
  const r = ratio(correct, expected, none);
  return { p, r, f: f1(p, r) };
}
