import cdf from "@stdlib/stats-base-dists-normal-cdf";

/** Wilcoxon's signed-rank test of paired differences. */
export interface Wilcoxon {
  /** The smaller of the two rank sums; null if every difference is zero. */
  statistic: number | null;
  /** Two-sided; null for fewer than two pairs. */
  p: number | null;
}

/** Maximum number of differences for the exact distribution. */
const EXACT_MAX = 50;
/** Decimals kept: equal scores computed in another order differ by rounding. */
const DECIMALS = 1e12;

/**
 * Wilcoxon's signed-rank test, two-sided: differences rounded to 12 decimals, zeros dropped, average ranks for ties.
 * Exact up to 50 differences without ties or zeros, else the normal approximation with tie correction and without
 * continuity correction. All zero: statistic null, p 1. O(n log n).
 * Source: Wilcoxon 1945; docs/spec/statistics.md, two models on the same samples.
 * @example wilcoxon([0.1, 0.2, -0.3]) // { statistic: 3, p: 1 }
 */
export function wilcoxon(differences: readonly number[]): Wilcoxon {
  if (differences.length < 2) return { statistic: null, p: null };
  const rounded = differences.map((difference) => Math.round(difference * DECIMALS));
  const nonzero = rounded.filter((difference) => difference !== 0);
  if (nonzero.length === 0) return { statistic: null, p: 1 };
  const { positive, tieTerm } = rankSums(nonzero);
  const n = nonzero.length;
  const statistic = Math.min(positive, (n * (n + 1)) / 2 - positive);
  const isExact = n <= EXACT_MAX && tieTerm === 0 && n === differences.length;
  return { statistic, p: isExact ? exactP(statistic, n) : approximateP(statistic, n, tieTerm) };
}

/** The rank sum of the positive differences, and Σ(t³ − t) over the sizes t of tied groups. */
function rankSums(differences: readonly number[]) {
  const sorted = [...differences].sort((a, b) => Math.abs(a) - Math.abs(b));
  let positive = 0;
  let tieTerm = 0;
  for (let start = 0, end = 0; start < sorted.length; start = end) {
    while (end < sorted.length && Math.abs(sorted[end]!) === Math.abs(sorted[start]!)) end++;
    const tied = end - start;
    const rank = (start + 1 + end) / 2;
    positive += rank * sorted.slice(start, end).filter((difference) => difference > 0).length;
    tieTerm += tied ** 3 - tied;
  }
  return { positive, tieTerm };
}

/** Twice the probability of a rank sum of at most `statistic` if every sign is a fair coin toss. */
function exactP(statistic: number, n: number): number {
  const sums = new Float64Array(statistic + 1);
  sums[0] = 1;
  for (let rank = 1; rank <= n; rank++) {
    for (let sum = statistic; sum >= rank; sum--) sums[sum]! += sums[sum - rank]!;
  }
  const below = sums.reduce((total, count) => total + count, 0);
  return Math.min(1, (2 * below) / 2 ** n);
}

function approximateP(statistic: number, n: number, tieTerm: number): number {
  const mean = (n * (n + 1)) / 4;
  const variance = (n * (n + 1) * (2 * n + 1) - tieTerm / 2) / 24;
  return normalTwoSided((statistic - mean) / Math.sqrt(variance));
}

/**
 * Two-sided p of a standard normal: the probability of |Z| ≥ |z|, 0–1.
 * Source: @stdlib; docs/spec/statistics.md.
 * @example normalTwoSided(1.959963984540054) // 0.05
 */
export const normalTwoSided = (z: number): number => 2 * cdf(-Math.abs(z), 0, 1);
