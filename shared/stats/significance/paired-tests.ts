import { cohensD, mean, studentTwoSided } from "./moments.ts";
import { wilcoxon } from "./wilcoxon.ts";

/** Two models on the same samples, `a` minus `b`. Null if a figure is undefined. */
export interface PairedTests {
  /** Common samples. */
  n: number;
  meanA: number | null;
  meanB: number | null;
  meanDifference: number | null;
  /** Sample standard deviation of the differences. */
  sdDifference: number | null;
  /** Paired t-test, two-sided. */
  t: number | null;
  p: number | null;
  /** Wilcoxon signed-rank test, two-sided. */
  wilcoxon: number | null;
  wilcoxonP: number | null;
  cohensD: number | null;
  /** Mean difference over the standard deviation of the differences. */
  dz: number | null;
}

/** A spread of differences up to this is rounding error. */
const NO_SPREAD = 1e-12;

/**
 * Tests and effect sizes of paired scores (`a[i]` and `b[i]` belong to the same sample, repeats averaged). If the
 * differences don't vary, t and dz are null, and p is 1 if they are zero, else null, because a constant difference has
 * no standard error. All are null for fewer than two samples. O(n log n).
 * Source: docs/spec/statistics.md, two models on the same samples.
 * @example pairedTests([0.9, 0.8], [0.5, 0.7]).meanDifference // 0.25
 */
export function pairedTests(a: readonly number[], b: readonly number[]): PairedTests {
  const n = a.length;
  if (n < 2) return { n, ...nothing };
  const { statistic, p: wilcoxonP } = wilcoxon(a.map((score, i) => score - b[i]!));
  return {
    n,
    meanA: mean(a),
    meanB: mean(b),
    ...pairedT(a, b),
    wilcoxon: statistic,
    wilcoxonP,
    cohensD: cohensD(a, b),
  };
}

type PairedT = Pick<PairedTests, "meanDifference" | "sdDifference" | "t" | "p" | "dz">;

const noTest: PairedT = { meanDifference: null, sdDifference: null, t: null, p: null, dz: null };
const nothing = {
  meanA: null,
  meanB: null,
  ...noTest,
  wilcoxon: null,
  wilcoxonP: null,
  cohensD: null,
};

/**
 * Only the paired t-test. `weights` are the shares of units of unequal size, with a sum of 1: the mean difference then
 * has the variance Σ (d − mean)² / n² / (1 − w) and 1 / Σ w² − 1 degrees of freedom, and the standard deviation is √n
 * times its standard error. With equal weights this is the usual test. Linear.
 * Source: as above; Bell and McCaffrey 2002 (few clusters), with the effective number of clusters for their number.
 * @example pairedT([0.9, 0.8], [0.5, 0.7]).t // 1.667
 */
export function pairedT(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  weights: ArrayLike<number> | null = null,
): PairedT {
  const n = a.length;
  if (n < 2) return noTest;
  let total = 0;
  for (let i = 0; i < n; i++) total += a[i]! - b[i]!;
  const meanDifference = total / n;
  let squares = 0;
  for (let i = 0; i < n; i++) {
    const square = (a[i]! - b[i]! - meanDifference) ** 2;
    squares += weights === null ? square : square / (1 - weights[i]!);
  }
  const sdDifference = Math.sqrt(squares / (weights === null ? n - 1 : n));
  if (sdDifference <= NO_SPREAD) {
    const p = Math.abs(meanDifference) <= NO_SPREAD ? 1 : null;
    return { ...noTest, meanDifference, sdDifference, p };
  }
  const dz = meanDifference / sdDifference;
  const t = dz * Math.sqrt(n);
  const units = weights === null ? n : effectiveUnits(weights);
  return { meanDifference, sdDifference, t, p: studentTwoSided(t, units - 1), dz };
}

/**
 * Number of units of equal size that are as informative as these units of unequal size, at least 1: 1 / Σ share².
 * Source: Kish 1965, Survey Sampling.
 * @example effectiveUnits([0.5, 0.25, 0.25]) // 2.667
 */
export const effectiveUnits = (shares: ArrayLike<number>): number =>
  1 / Array.from(shares).reduce((sum, share) => sum + share ** 2, 0);
