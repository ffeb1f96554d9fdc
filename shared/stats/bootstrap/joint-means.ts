import { jointResamples, type RatioOfSums } from "./joint-resamples.ts";

/**
 * Many ratios of sums over the same resamples of units: what differences, ranks and intervals of models
 * on the same samples follow from. A mean is a ratio over the unit's samples (1 where every sample is a
 * unit). A resample with nothing to divide by has lost nothing: 1. As many draws as `jointResamples` makes.
 * Source: docs/spec/statistics.md, bootstrap interval and rank interval.
 * @example jointMeans([{ of: scoresA, over: ones }, { of: scoresB, over: ones }], "board")[0]
 */
export function jointMeans(ratios: readonly RatioOfSums[], seed: string): Float64Array[] {
  const resamples = jointResamples(ratios, seed);
  const draws = ratios.map(() => new Float64Array(resamples.count));
  resamples.each((sums, draw) => {
    resamples.places.forEach(([of, over], k) => {
      const divisor = sums[over]!;
      draws[k]![draw] = divisor === 0 ? 1 : sums[of]! / divisor;
    });
  });
  return draws;
}
