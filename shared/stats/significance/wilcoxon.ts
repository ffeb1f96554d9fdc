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
export function wilcoxon(differences: ArrayLike<number>): Wilcoxon {
  if (differences.length < 2) return { statistic: null, p: null };
  const { raised, lowered } = sizesOf(differences);
  const n = raised.length + lowered.length;
  if (n === 0) return { statistic: null, p: 1 };
  const { positive, tieTerm } = rankSums(raised, lowered);
  const statistic = Math.min(positive, (n * (n + 1)) / 2 - positive);
  const isExact = n <= EXACT_MAX && tieTerm === 0 && n === differences.length;
  return { statistic, p: isExact ? exactP(statistic, n) : approximateP(statistic, n, tieTerm) };
}

/** The sizes of the rounded positive and negative differences, each sorted. */
function sizesOf(differences: ArrayLike<number>) {
  const [raised, lowered] = [differences, differences].map(
    ({ length }) => new Float64Array(length),
  );
  let [up, down] = [0, 0];
  for (let i = 0; i < differences.length; i++) {
    const rounded = Math.round(differences[i]! * DECIMALS);
    if (rounded > 0) raised![up++] = rounded;
    else if (rounded < 0) lowered![down++] = -rounded;
  }
  return { raised: raised!.subarray(0, up).sort(), lowered: lowered!.subarray(0, down).sort() };
}

/** The rank sum of the positive differences, and Σ(t³ − t) over the sizes t of tied groups; sizes are sorted. */
function rankSums(raised: Float64Array, lowered: Float64Array) {
  let [positive, tieTerm] = [0, 0];
  for (let [up, down] = [0, 0]; up < raised.length || down < lowered.length; ) {
    const size = Math.min(
      raised[up] ?? Number.POSITIVE_INFINITY,
      lowered[down] ?? Number.POSITIVE_INFINITY,
    );
    const [start, firstUp] = [up + down, up];
    while (raised[up] === size) up++;
    while (lowered[down] === size) down++;
    const tied = up + down - start;
    positive += ((start + 1 + up + down) / 2) * (up - firstUp);
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
