import cdf from "@stdlib/stats-base-dists-normal-cdf";

/**
 * Two-sided p of a standard normal: the chance of |Z| ≥ |z|, 0–1.
 * Source: @stdlib; docs/spec/statistics.md.
 * @example normalTwoSided(1.959963984540054) // 0.05
 */
export const normalTwoSided = (z: number): number => 2 * cdf(-Math.abs(z), 0, 1);
