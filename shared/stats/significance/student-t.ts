import cdf from "@stdlib/stats-base-dists-t-cdf";

/**
 * Two-sided p of Student's t: the chance of |T| ≥ |t| with `degrees` degrees of freedom (from 1), 0–1.
 * Source: @stdlib; docs/spec/statistics.md.
 * @example studentTwoSided(2, 5) // 0.10194
 */
export const studentTwoSided = (t: number, degrees: number): number =>
  Math.min(1, 2 * cdf(-Math.abs(t), degrees));
