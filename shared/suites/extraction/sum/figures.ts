import { f1 } from "../../../measures/text/token-f1.ts";
import type { Figures } from "../../../stats/bootstrap/bootstrap.ts";
import { sumFigures } from "../../../stats/bootstrap/percentile-figures.ts";
import { ratiosOf, type Statistics } from "../../../stats/bootstrap/statistics.ts";
import { addTo, type CompensatedSums, noSums, sumOf } from "../../../stats/sums/compensated-sum.ts";
import { measures, modes } from "../metrics.ts";
import { columnAt as at, type RowNumbers } from "./columns.ts";

type HeadlineFigure = (sums: Float64Array) => number;

/**
 * The headline figures by metric id, from the sums of `headlineColumns`; NaN without samples, or without valid
 * outputs for those that only concern them.
 * Source: docs/spec/extraction.md, section 6.
 */
const figures: Readonly<Record<string, HeadlineFigure>> = {
  eqs: (sums) => over(sums[at.eqs]!, sums[at.samples]!),
  validity: (sums) => over(sums[at.valid]!, sums[at.samples]!),
  typeAccuracy: (sums) => over(sums[at.typeAccuracy]!, sums[at.samples]!),
  typeAccuracyMicro: (sums) => ofFields(sums, sums[at.typeCorrect]!, sums[at.predicted]!),
  hallucinationRate: (sums) => 1 - over(sums[at.noHallucination]!, sums[at.samples]!),
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
  ...Object.assign({}, ...modes.map(({ id }) => modeFigures(id))),
};

/** Precision, recall and F1 of a way of crediting fields, in the order of `measures`. */
function modeFigures(id: (typeof modes)[number]["id"]): Record<string, HeadlineFigure> {
  const correct: HeadlineFigure = (sums) =>
    id === "partial" ? sums[at.partialHalves]! / 2 : sums[at[id]]!;
  const precision: HeadlineFigure = (sums) => ofFields(sums, correct(sums), sums[at.predicted]!);
  const recall: HeadlineFigure = (sums) => ofFields(sums, correct(sums), sums[at.expected]!);
  return {
    [`${id}Precision`]: precision,
    [`${id}Recall`]: recall,
    [`${id}F1`]: (sums) => f1(precision(sums), recall(sums)),
  };
}

/**
 * The metrics that are headline figures, in the order that `headline` writes them.
 * @example headlineIds[0] // "eqs"
 */
export const headlineIds: readonly string[] = Object.keys(figures);

const inOrder = Object.values(figures);

/**
 * The headline figures as statistics of resampled sums, in the order of `headlineIds`.
 * @example headline.write(sums, into, 0) // into[0]: mean EQS
 */
export const headline: Statistics = {
  count: inOrder.length,
  write(sums, into, from) {
    for (let k = 0; k < inOrder.length; k++) into[from + k] = inOrder[k]!(sums);
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

/** A share of fields: 1 where none is expected or predicted, 0 where only these are none, NaN without samples. */
function ofFields(sums: Float64Array, part: number, fields: number): number {
  if (sums[at.samples] === 0) return Number.NaN;
  if (fields > 0) return part / fields;
  return sums[at.expected] === 0 && sums[at.predicted] === 0 ? 1 : 0;
}

/** Errors of fields: 0 where there are no fields, NaN where there is no sample that could have any. */
function rateOfFields(part: number, fields: number, samples: number): number {
  if (samples === 0) return Number.NaN;
  return fields === 0 ? 0 : part / fields;
}

/** Rates that are averaged over samples in addition to the headline. */
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
 * The means of per-sample values reported in addition to the headline, by metric id: plain (`…Macro`) and by
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
