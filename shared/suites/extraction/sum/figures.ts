import { columnAt } from "../../../measures/run-sums/named-sums.ts";
import { f1 } from "../../../measures/text/token-f1.ts";
import {
  eachOf,
  ratiosOf,
  type Statistic,
  type Statistics,
} from "../../../stats/bootstrap/statistics.ts";
import { modes } from "../metrics.ts";
import { at, meanColumns } from "./columns.ts";

/** Figures of samples and fields, by metric id. */
const figureIds = [
  "eqs",
  "validity",
  "typeAccuracy",
  "typeAccuracyMicro",
  "hallucinationRate",
  "hallucinationRateOfValid",
  "criticalHallucinationRate",
  "omissionRate",
  "exactMatch",
  "exactMatchOfValid",
  "partialF1Macro",
  "successRate",
  "parseFailureRate",
  "schemaFailureRate",
  "validAsIs",
] as const;
const place = columnAt(figureIds);
/** These come after the figures above, for each mode of crediting fields. */
const modeIds = modes.flatMap(({ id }) => [`${id}Precision`, `${id}Recall`, `${id}F1`]);

/**
 * The figures with an interval of a run or a group of its answers, from the sums of the first columns; undefined
 * without samples, and figures of valid outputs also without valid outputs.
 * Source: docs/spec/extraction.md, section 6.
 * @example headline.write(sums, figures, 0)
 */
export const headline: Statistics = {
  count: figureIds.length + modeIds.length,
  write(sums, into, from) {
    const samples = sums[at.samples]!;
    const valid = sums[at.valid]!;
    const predicted = sums[at.predicted]!;
    into[from + place.eqs] = over(sums[at.eqs]!, samples);
    into[from + place.validity] = over(valid, samples);
    into[from + place.typeAccuracy] = over(sums[at.typeAccuracy]!, samples);
    into[from + place.typeAccuracyMicro] = ofFields(sums, sums[at.typeCorrect]!, predicted);
    into[from + place.hallucinationRate] = 1 - over(sums[at.noHallucination]!, samples);
    into[from + place.hallucinationRateOfValid] = errorRate(sums[at.spurious]!, predicted, valid);
    into[from + place.criticalHallucinationRate] = over(sums[at.critical]!, predicted);
    into[from + place.omissionRate] = errorRate(sums[at.missed]!, sums[at.expected]!, samples);
    into[from + place.exactMatch] = over(sums[at.exactMatch]!, samples);
    into[from + place.exactMatchOfValid] = over(sums[at.exactMatch]!, valid);
    into[from + place.partialF1Macro] = over(sums[at.partialF1]!, samples);
    into[from + place.successRate] = over(sums[at.covered]!, samples);
    into[from + place.parseFailureRate] = over(sums[at.parseFailed]!, samples);
    into[from + place.schemaFailureRate] = over(sums[at.schemaFailed]!, samples);
    into[from + place.validAsIs] = over(sums[at.validAsIs]!, samples);
    for (let k = 0; k < modes.length; k++) {
      const correct = correctIn(sums, modes[k]!.id);
      const precision = ofFields(sums, correct, predicted);
      const recall = ofFields(sums, correct, sums[at.expected]!);
      const first = from + figureIds.length + 3 * k;
      into[first] = precision;
      into[first + 1] = recall;
      into[first + 2] = f1(precision, recall);
    }
  },
};

/** Credited fields. */
const correctIn = (sums: Float64Array, mode: (typeof modes)[number]["id"]): number =>
  mode === "partial" ? sums[at.partialHalves]! / 2 : sums[at[mode]]!;

const named = (ids: readonly string[], whole: Statistics): Record<string, Statistic> =>
  Object.fromEntries(eachOf(whole).map((statistic, k) => [ids[k]!, statistic]));

/** The figures of `headline` one by one, by metric id; null where undefined. */
export const headlineStatistics: Readonly<Record<string, Statistic>> = named(
  [...figureIds, ...modeIds],
  headline,
);

/** Means of rates over samples: unweighted (`…Macro`) and weighted by expected fields (`…Weighted`), all 0–1. */
const meanStatistics: Readonly<Record<string, Statistic>> = {
  ...named(
    meanColumns.map(({ id }) => id),
    ratiosOf(
      meanColumns.map(({ id, isWeighted }) => [at[id], isWeighted ? at.expected : at.samples]),
    ),
  ),
  // Recall weighted by expected fields is the recall over all fields.
  ...Object.fromEntries(
    modes.map(({ id }): [string, Statistic] => [
      `${id}RecallWeighted`,
      (sums) => {
        const expected = sums[at.expected]!;
        return expected === 0 ? null : ofFields(sums, correctIn(sums, id), expected);
      },
    ]),
  ),
};

/** All figures of a run that are computed from sums, by metric id. */
export const runStatistics: Readonly<Record<string, Statistic>> = {
  ...headlineStatistics,
  ...meanStatistics,
};

/** Figures of a group that have no interval. */
export const groupMeans = (sums: Float64Array): Record<string, number | null> =>
  Object.fromEntries(
    Object.entries(meanStatistics).map(([id, statistic]) => [id, statistic(sums)]),
  );

/** The number of samples behind figures of valid outputs only. */
export const sampleCounts: Readonly<Record<string, Statistic>> = {
  hallucinationRateOfValid: (sums) => sums[at.valid]!,
  exactMatchOfValid: (sums) => sums[at.valid]!,
};

const over = (part: number, whole: number): number => (whole === 0 ? Number.NaN : part / whole);

/** A share of fields: 1 without expected and predicted fields, 0 if only its denominator is 0, NaN without samples. */
function ofFields(sums: Float64Array, part: number, fields: number): number {
  if (sums[at.samples] === 0) return Number.NaN;
  if (fields > 0) return part / fields;
  return sums[at.expected] === 0 && sums[at.predicted] === 0 ? 1 : 0;
}

/** Errors of fields: 0 without fields, NaN without samples that could have any. */
function errorRate(part: number, fields: number, samples: number): number {
  if (samples === 0) return Number.NaN;
  return fields === 0 ? 0 : part / fields;
}
