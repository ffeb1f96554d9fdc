import quantile from "@stdlib/stats-base-dists-binomial-quantile";
import type { Interval } from "../bootstrap/bootstrap.ts";

const TAIL = 0.025;

/**
 * Indexes of the order statistics of `n` values between which a percentile of any distribution lies with a probability
 * of at least 95%; null if an index is beyond the values. `share` is 0–1.
 * Source: David and Nagaraja 2003, Order Statistics, 7.1.
 * @example percentilePlaces(72, 0.95) // { low: 64, high: 71 }
 */
export function percentilePlaces(n: number, share: number): { low: number; high: number } | null {
  if (n < 1) return null;
  // The number of values below the percentile is binomial: n draws that succeed with probability `share`.
  const low = quantile(TAIL, n, share) - 1;
  const high = quantile(1 - TAIL, n, share);
  return low < 0 || high >= n ? null : { low, high };
}

/**
 * The minimum number of values for an interval of a percentile.
 * @example leastValues(0.95) // 72
 */
export const leastValues = (share: number): number =>
  Math.ceil(Math.log(TAIL) / Math.log(Math.max(share, 1 - share)));

/**
 * The 95% interval of a percentile, of independent values in ascending order; null for too few values.
 * @example percentileInterval(Float64Array.of(1, 2, 3, 4, 5, 6), 0.5) // [1, 6]
 */
export function percentileInterval(sorted: ArrayLike<number>, share: number): Interval | null {
  const places = percentilePlaces(sorted.length, share);
  return places && [sorted[places.low]!, sorted[places.high]!];
}
