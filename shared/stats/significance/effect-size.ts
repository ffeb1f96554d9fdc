import type { EffectSize } from "../../contracts/boards/comparison.ts";
import { mean, variance } from "./moments.ts";

/**
 * Cohen's d of two groups of scores: the mean difference in units of the root mean of both population
 * variances; unbounded, positive where `a` is higher, 0 when neither varies.
 * Source: Cohen 1988; docs/spec/statistics.md, two models on the same samples.
 * @example cohensD([2, 4], [1, 3]) // 1
 */
export function cohensD(a: readonly number[], b: readonly number[]): number {
  const spread = Math.sqrt((variance(a, 0) + variance(b, 0)) / 2);
  return spread === 0 ? 0 : (mean(a) - mean(b)) / spread;
}

/**
 * The word for a |d|: below 0.2 negligible, 0.5 small, 0.8 medium, else large.
 * @example effectSize(-0.6) // "medium"
 */
export function effectSize(d: number): EffectSize {
  const size = Math.abs(d);
  if (size < 0.2) return "negligible";
  if (size < 0.5) return "small";
  return size < 0.8 ? "medium" : "large";
}
