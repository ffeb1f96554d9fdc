import { f1 } from "../../../measures/f1.ts";
import type { Figures } from "../../../stats/bootstrap/bootstrap.ts";
import { ratiosOf, type Statistics } from "../../../stats/bootstrap/statistics.ts";
import { sumFigures } from "../../../stats/bootstrap/sum-figures.ts";
import { addTo, type CompensatedSums, noSums, sumOf } from "../../../stats/sums/compensated-sum.ts";
import { measures, modes } from "../metrics.ts";
import { columnAt as at, type RowNumbers } from "./columns.ts";

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

/** Rates that are averaged over samples beside the headline. */
const meanRates = [
  "omissionRate",
  ...modes.flatMap(({ id }) => measures.map((measure) => `${id}${measure.id}` as const)),
] as const;

/**
 * Such means that are figures of the headline, whose interval they share: recall by expected fields is that over all
 * fields.
 * @example headlineMeans["strictRecallWeighted"] // "strictRecall"
 */
export const headlineMeans: Readonly<Record<string, string>> = {
  partialF1Macro: "partialF1Macro",
  ...Object.fromEntries(modes.map(({ id }) => [`${id}RecallWeighted`, `${id}Recall`])),
};

/** Each rate's mean over samples and that by expected fields, but for those of the headline. */
const resampledMeans = meanRates.flatMap((name) =>
  (["Macro", "Weighted"] as const)
    .map((kind) => ({ id: `${name}${kind}`, name, kind }))
    .filter(({ id }) => id !== "omissionRateWeighted" && !(id in headlineMeans)),
);

/**
 * The metrics that `sampleMeanFigures` resamples, in their order.
 * @example sampleMeanIds[0] // "omissionRateMacro"
 */
export const sampleMeanIds: readonly string[] = resampledMeans.map(({ id }) => id);

/** Sums that means over samples follow from. */
export interface MeanSums {
  samples: number;
  expected: number;
  /** In the order of the averaged rates: of the rate, and of the rate by expected fields. */
  plain: CompensatedSums;
  weighted: CompensatedSums;
}

/**
 * The sums of no samples.
 * @example sampleMeans(noMeanSums())["partialF1Macro"] // null
 */
export function noMeanSums(): MeanSums {
  return {
    samples: 0,
    expected: 0,
    plain: noSums(meanRates.length),
    weighted: noSums(meanRates.length),
  };
}

/**
 * Adds one sample.
 * @example addMeans(sums, rowNumbers(row))
 */
export function addMeans(sums: MeanSums, numbers: RowNumbers): void {
  sums.samples += numbers.samples;
  sums.expected += numbers.expected;
  meanRates.forEach((name, k) => {
    addTo(sums.plain, numbers[name], k);
    addTo(sums.weighted, numbers[name] * numbers.expected, k);
  });
}

type MeanSource = Pick<RowNumbers, (typeof meanRates)[number] | "samples" | "expected">;

/**
 * The same means as figures of a bootstrap of `count` units, in the order of `sampleMeanIds`.
 * @example sampleMeanFigures(samples, 12).count // 15
 */
export function sampleMeanFigures(
  samples: readonly { numbers: MeanSource; unit: number }[],
  count: number,
): Figures {
  const column = (of: (numbers: MeanSource) => number): Float64Array => {
    const sums = new Float64Array(count);
    for (const { numbers, unit } of samples) sums[unit]! += of(numbers);
    return sums;
  };
  const columns = [
    column(({ samples: its }) => its),
    column(({ expected }) => expected),
    ...resampledMeans.map(({ name, kind }) =>
      column((numbers) => numbers[name] * (kind === "Weighted" ? numbers.expected : 1)),
    ),
  ];
  const means = resampledMeans.map(({ kind }, k) => [k + 2, kind === "Weighted" ? 1 : 0] as const);
  return sumFigures(columns, ratiosOf(means));
}

/**
 * The means of per-sample values that stand beside the headline, by metric id: plain (`…Macro`) and by
 * expected fields (`…Weighted`), all 0–1; null without samples, or without expected fields.
 * Source: docs/spec/extraction.md, section 6.
 * @example sampleMeans(sums)["strictF1Macro"]
 */
export function sampleMeans({
  samples,
  expected,
  plain,
  weighted,
}: MeanSums): Record<string, number | null> {
  const over = (sum: number, whole: number) => (whole === 0 ? null : sum / whole);
  return Object.fromEntries(
    meanRates.flatMap((name, k) => {
      const macro = [`${name}Macro`, over(sumOf(plain, k), samples)];
      const byFields = [`${name}Weighted`, over(sumOf(weighted, k), expected)];
      return name === "omissionRate" ? [macro] : [macro, byFields];
    }),
  );
}
