import type { ScoreRow } from "./score-row.ts";
import { type FieldRates, fieldCounts, fieldRates } from "./tally.ts";

/** What each figure with an interval is worked out from: sums of these over samples. */
export const headlineColumns = [
  ...(["samples", "valid", "exactMatch", "covered"] as const),
  ...(["parseFailed", "schemaFailed", "validAsIs"] as const),
  ...(["expected", "predicted", "strict", "partialHalves", "lenient"] as const),
  ...(["typeCorrect", "missed", "spurious", "critical"] as const),
  ...(["eqs", "noHallucination", "partialF1", "typeAccuracy"] as const),
] as const;
export type HeadlineColumn = (typeof headlineColumns)[number];

/** Where each column stands. */
export const columnAt = Object.fromEntries(headlineColumns.map((name, i) => [name, i])) as Readonly<
  Record<HeadlineColumn, number>
>;

/** A row as numbers: those of the headline, and its rates for means beside them. */
export type RowNumbers = Record<HeadlineColumn, number> & FieldRates;

/** An invalid output has earned nothing; its missed fields are counted, its rates are 0. */
const nothing: FieldRates = {
  strictPrecision: 0,
  strictRecall: 0,
  strictF1: 0,
  partialPrecision: 0,
  partialRecall: 0,
  partialF1: 0,
  lenientPrecision: 0,
  lenientRecall: 0,
  lenientF1: 0,
  typeAccuracy: 0,
  hallucinationRate: 0,
  omissionRate: 0,
};

/**
 * The numbers of one row. Rates are 0–1, counts are fields; `partialHalves` is 2 · exact + partial.
 * Source: docs/spec/extraction.md, sections 5 and 6.
 * @example rowNumbers(row).noHallucination // 1 − spurious / predicted, 0 when invalid
 */
export function rowNumbers(row: ScoreRow): RowNumbers {
  const rates = row.valid ? fieldRates(row) : { ...nothing, omissionRate: row.missed > 0 ? 1 : 0 };
  return {
    ...rates,
    ...fieldCounts(row),
    samples: 1,
    eqs: row.eqs,
    valid: Number(row.valid),
    exactMatch: Number(row.exactMatch),
    validAsIs: Number(row.validAsIs),
    covered: Number(row.covered),
    parseFailed: Number(row.unparsed),
    schemaFailed: Number(row.unfit),
    noHallucination: row.valid ? 1 - rates.hallucinationRate : 0,
    strict: row.identical,
    partialHalves: 2 * row.exact + row.partial,
    lenient: row.lenient,
    typeCorrect: row.typeCorrect,
    missed: row.missed,
    spurious: row.spurious,
    critical: row.critical,
  };
}

/**
 * The headline's numbers of a row, in the order of `headlineColumns`.
 * @example headlineValues(numbers)[columnAt.eqs] // 0–1
 */
export const headlineValues = (numbers: RowNumbers): number[] =>
  headlineColumns.map((name) => numbers[name]);
