import { f1 } from "../../../measures/f1.ts";
import type { Statistics } from "../../../stats/statistics.ts";
import { measures, modes } from "../metrics.ts";
import { columnAt as at } from "./columns.ts";

/**
 * The metrics that are headline figures, in the order that `headline` writes them.
 * @example headlineIds[0] // "eqs"
 */
export const headlineIds: readonly string[] = [
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
  ...modes.flatMap(({ id }) => measures.map((measure) => `${id}${measure.id}`)),
];

/**
 * The headline figures from the sums of `headlineColumns`; none without samples, or without valid outputs for those
 * that only concern them.
 * Source: docs/spec/extraction.md, section 6.
 * @example headline.write(sums, into, 0) // into[0]: mean EQS
 */
export const headline: Statistics = {
  count: headlineIds.length,
  write(sums, into, from) {
    const samples = sums[at.samples]!;
    const valid = sums[at.valid]!;
    const expected = sums[at.expected]!;
    const predicted = sums[at.predicted]!;
    const exact = sums[at.exactMatch]!;
    const isNothing = expected === 0 && predicted === 0;
    let k = from;
    into[k++] = over(sums[at.eqs]!, samples);
    into[k++] = over(valid, samples);
    into[k++] = over(sums[at.typeAccuracy]!, samples);
    into[k++] = ofFields(sums[at.typeCorrect]!, predicted, samples, isNothing ? 1 : 0);
    into[k++] = 1 - over(sums[at.noHallucination]!, samples);
    into[k++] = ofFields(sums[at.spurious]!, predicted, valid, 0);
    into[k++] = over(sums[at.critical]!, predicted);
    into[k++] = ofFields(sums[at.missed]!, expected, samples, 0);
    into[k++] = over(exact, samples);
    into[k++] = over(exact, valid);
    into[k++] = over(sums[at.partialF1]!, samples);
    into[k++] = over(sums[at.covered]!, samples);
    into[k++] = over(sums[at.parseFailed]!, samples);
    into[k++] = over(sums[at.schemaFailed]!, samples);
    into[k++] = over(sums[at.validAsIs]!, samples);
    for (const mode of modes) {
      const correct = mode.id === "partial" ? sums[at.partialHalves]! / 2 : sums[at[mode.id]]!;
      const precision = ofFields(correct, predicted, samples, isNothing ? 1 : 0);
      const recall = ofFields(correct, expected, samples, isNothing ? 1 : 0);
      into[k++] = precision;
      into[k++] = recall;
      into[k++] = f1(precision, recall);
    }
  },
};

/**
 * The headline figures by metric id; null for one that can't be worked out.
 * @example headlineFigures(sums)["eqs"] // mean EQS
 */
export function headlineFigures(sums: Float64Array): Record<string, number | null> {
  const values = new Float64Array(headline.count);
  headline.write(sums, values, 0);
  return Object.fromEntries(
    headlineIds.map((id, k) => [id, Number.isNaN(values[k]) ? null : values[k]!]),
  );
}

/** NaN over nothing. */
const over = (part: number, whole: number): number => (whole === 0 ? Number.NaN : part / whole);

/** A share of fields: `empty` where there are none, NaN where there is no sample that could have any. */
function ofFields(part: number, fields: number, samples: number, empty: number): number {
  if (samples === 0) return Number.NaN;
  return fields === 0 ? empty : part / fields;
}
