import { bootstrap, type Interval } from "./bootstrap.ts";
import { sumFigures } from "./sum-figures.ts";

/**
 * The 95% percentile bootstrap interval of the mean of `values`, in their unit; null below two.
 * O(resamples · values).
 * Source: Efron 1979; specification of statistics, bootstrap interval.
 * @example bootstrapMean([0, 1, 1, 1], "run-1") // [0.25, 1]
 */
export function bootstrapMean(values: ArrayLike<number>, seed: string): Interval | null {
  const column = Float64Array.from(values);
  const mean = (sums: Float64Array) => sums[0]! / column.length;
  return bootstrap(column.length, seed, [sumFigures([column], [mean])])[0] ?? null;
}
