import { mean, variance } from "../significance/moments.ts";

/**
 * The value below which the share `q` (0–1) of `sorted` (ascending) lies, by linear interpolation between order
 * statistics (type 7, NumPy's default), in the unit of the values. Null if empty. Constant time.
 * Source: Hyndman and Fan 1996; docs/spec/statistics.md, first rule.
 * @example percentile([1, 2, 3, 4], 0.5) // 2.5
 */
export function percentile(sorted: ArrayLike<number>, q: number): number | null {
  if (sorted.length === 0) return null;
  const rank = (sorted.length - 1) * q;
  const below = Math.floor(rank);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (high - low) * (rank - below);
}

/**
 * Mean, median, minimum, maximum and sample standard deviation (n − 1) of values, in their unit; null without values,
 * the deviation also for a single value. O(n log n).
 * @example spreadOf([1, 3]) // { mean: 2, median: 2, min: 1, max: 3, sd: 1.4142… }
 */
export function spreadOf(values: readonly number[]) {
  const sorted = Float64Array.from(values).sort();
  return {
    mean: sorted.length === 0 ? null : mean(sorted),
    median: percentile(sorted, 0.5),
    min: sorted[0] ?? null,
    max: sorted.at(-1) ?? null,
    sd: sorted.length < 2 ? null : Math.sqrt(variance(sorted, 1)),
  };
}
