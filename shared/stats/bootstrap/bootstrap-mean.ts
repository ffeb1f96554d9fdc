import { bootstrap, type Interval } from "./bootstrap.ts";
import { sumFigures } from "./percentile-figures.ts";
import { ratiosOf } from "./statistics.ts";

/**
 * The 95% expanded percentile bootstrap interval of the mean of `values`, in their unit; null for fewer than two. O(resamples
 * · values).
 * Source: Efron 1979; docs/spec/statistics.md, bootstrap interval.
 * @example bootstrapMean([0, 1, 1, 1], "run-1") // [0.25, 1]
 */
export function bootstrapMean(values: ArrayLike<number>, seed: string): Interval | null {
  const column = Float64Array.from(values);
  const mean = sumFigures([column, new Float64Array(column.length).fill(1)], ratiosOf([[0, 1]]));
  return bootstrap(column.length, seed, [mean])[0] ?? null;
}
