import { f1 } from "../../../measures/text/token-f1.ts";
import type { Statistic } from "../../../stats/bootstrap/statistics.ts";
import { modes } from "../metrics.ts";
import { at, meanColumns } from "./columns.ts";

/**
 * The figures of a run or a group of its answers that have an interval, by metric id, from the sums of the first
 * columns; null without samples, or without valid outputs for those that only concern them.
 * Source: docs/spec/extraction.md, section 6.
 */
export const headlineStatistics: Readonly<Record<string, Statistic>> = {
  eqs: (sums) => over(sums[at.eqs]!, sums[at.samples]!),
  validity: (sums) => over(sums[at.valid]!, sums[at.samples]!),
  typeAccuracy: (sums) => over(sums[at.typeAccuracy]!, sums[at.samples]!),
  typeAccuracyMicro: (sums) => ofFields(sums, sums[at.typeCorrect]!, sums[at.predicted]!),
  hallucinationRate: (sums) => complement(over(sums[at.noHallucination]!, sums[at.samples]!)),
  hallucinationRateOfValid: (sums) =>
    rateOfFields(sums[at.spurious]!, sums[at.predicted]!, sums[at.valid]!),
  criticalHallucinationRate: (sums) => over(sums[at.critical]!, sums[at.predicted]!),
  omissionRate: (sums) => rateOfFields(sums[at.missed]!, sums[at.expected]!, sums[at.samples]!),
  exactMatch: (sums) => over(sums[at.exactMatch]!, sums[at.samples]!),
  exactMatchOfValid: (sums) => over(sums[at.exactMatch]!, sums[at.valid]!),
  partialF1Macro: (sums) => over(sums[at.partialF1]!, sums[at.samples]!),
  successRate: (sums) => over(sums[at.covered]!, sums[at.samples]!),
  parseFailureRate: (sums) => over(sums[at.parseFailed]!, sums[at.samples]!),
  schemaFailureRate: (sums) => over(sums[at.schemaFailed]!, sums[at.samples]!),
  validAsIs: (sums) => over(sums[at.validAsIs]!, sums[at.samples]!),
  ...Object.assign({}, ...modes.map(({ id }) => modeStatistics(id))),
};

/** Precision, recall and F1 of a way of crediting fields. */
function modeStatistics(id: (typeof modes)[number]["id"]): Record<string, Statistic> {
  const correct = (sums: Float64Array) =>
    id === "partial" ? sums[at.partialHalves]! / 2 : sums[at[id]]!;
  const precision: Statistic = (sums) => ofFields(sums, correct(sums), sums[at.predicted]!);
  const recall: Statistic = (sums) => ofFields(sums, correct(sums), sums[at.expected]!);
  return {
    [`${id}Precision`]: precision,
    [`${id}Recall`]: recall,
    [`${id}F1`]: (sums) => {
      const [p, r] = [precision(sums), recall(sums)];
      return p === null || r === null ? null : f1(p, r);
    },
  };
}

/** Means over samples of rates: plain (`…Macro`) and by expected fields (`…Weighted`), all 0–1. */
const meanStatistics: Readonly<Record<string, Statistic>> = {
  ...Object.fromEntries(
    meanColumns.map(({ id, isWeighted }): [string, Statistic] => {
      const [of, whole] = [at[id], isWeighted ? at.expected : at.samples];
      return [id, (sums) => over(sums[of]!, sums[whole]!)];
    }),
  ),
  // By expected fields it is the recall over all fields.
  ...Object.fromEntries(
    modes.map(({ id }): [string, Statistic] => {
      const recall = headlineStatistics[`${id}Recall`]!;
      return [`${id}RecallWeighted`, (sums) => (sums[at.expected] === 0 ? null : recall(sums))];
    }),
  ),
};

/** All figures of a run that follow from sums, by metric id. */
export const runStatistics: Readonly<Record<string, Statistic>> = {
  ...headlineStatistics,
  ...meanStatistics,
};

/** Figures of a group that have no interval. */
export const groupMeans = (sums: Float64Array): Record<string, number | null> =>
  Object.fromEntries(
    Object.entries(meanStatistics).map(([id, statistic]) => [id, statistic(sums)]),
  );

/** The samples behind figures of valid outputs alone. */
export const sampleCounts: Readonly<Record<string, Statistic>> = {
  hallucinationRateOfValid: (sums) => sums[at.valid]!,
  exactMatchOfValid: (sums) => sums[at.valid]!,
};

const over = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

const complement = (rate: number | null): number | null => (rate === null ? null : 1 - rate);

/** A share of fields: 1 if none is expected or predicted, 0 if only its own denominator is 0, null without samples. */
function ofFields(sums: Float64Array, part: number, fields: number): number | null {
  if (sums[at.samples] === 0) return null;
  if (fields > 0) return part / fields;
  return sums[at.expected] === 0 && sums[at.predicted] === 0 ? 1 : 0;
}

/** Errors of fields: 0 without fields, null without samples that could have any. */
function rateOfFields(part: number, fields: number, samples: number): number | null {
  if (samples === 0) return null;
  return fields === 0 ? 0 : part / fields;
}
