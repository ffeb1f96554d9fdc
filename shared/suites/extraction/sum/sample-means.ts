import type { Figures } from "../../../stats/bootstrap.ts";
import { addTo, type CompensatedSums, noSums, sumOf } from "../../../stats/compensated-sum.ts";
import { ratiosOf } from "../../../stats/statistics.ts";
import { sumFigures } from "../../../stats/sum-figures.ts";
import { measures, modes } from "../metrics.ts";
import type { RowNumbers } from "./columns.ts";

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
