import cdf from "@stdlib/stats-base-dists-t-cdf";
import type { EffectSize } from "../../contracts/boards/comparison.ts";

/**
 * Mean of the values, in their unit; NaN if empty. Linear.
 * @example mean([1, 2]) // 1.5
 */
export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum / values.length;
}

/**
 * Variance in the squared unit of the values, over n − `lost` (1: of a sample, 0: of a population); NaN if n − `lost`
 * is not positive. Two passes, so it is exact for a small spread on a large mean.
 * @example variance([1, 3], 1) // 2
 */
export function variance(values: ArrayLike<number>, lost: 0 | 1): number {
  const degrees = values.length - lost;
  if (degrees <= 0) return Number.NaN;
  const centre = mean(values);
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += (values[i]! - centre) ** 2;
  return squares / degrees;
}

/**
 * Two-sided p of Student's t: the probability of |T| ≥ |t| with `degrees` degrees of freedom (from 1), 0–1.
 * Source: @stdlib; docs/spec/statistics.md.
 * @example studentTwoSided(2, 5) // 0.10194
 */
export const studentTwoSided = (t: number, degrees: number): number =>
  Math.min(1, 2 * cdf(-Math.abs(t), degrees));

/**
 * Cohen's d of two groups of scores: the mean difference divided by the root mean of both population variances.
 * Unbounded; positive if `a` is higher, 0 if neither varies.
 * Source: Cohen 1988; docs/spec/statistics.md, two models on the same samples.
 * @example cohensD([2, 4], [1, 3]) // 1
 */
export function cohensD(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const spread = Math.sqrt((variance(a, 0) + variance(b, 0)) / 2);
  return spread === 0 ? 0 : (mean(a) - mean(b)) / spread;
}

/**
 * The name of a |d|: below 0.2 negligible, below 0.5 small, below 0.8 medium, else large.
 * @example effectSize(-0.6) // "medium"
 */
export function effectSize(d: number): EffectSize {
  const size = Math.abs(d);
  if (size < 0.2) return "negligible";
  if (size < 0.5) return "small";
  return size < 0.8 ? "medium" : "large";
}
