import { cohensD } from "./effect-size.ts";
import { mean, variance } from "./moments.ts";
import { studentTwoSided } from "./student-t.ts";
import { wilcoxon } from "./wilcoxon.ts";

/** Two models on the same samples, `a` minus `b`. Null where a figure is not defined. */
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

/** A spread of differences up to this is rounding. */
const NO_SPREAD = 1e-12;

/**
 * Tests and effect sizes of paired scores (`a[i]` and `b[i]` are of the same sample, repeats averaged).
 * Differences that don't vary: t and dz null, p 1 if they are zero, else 0. Below two samples all is
 * null. O(n log n).
 * Source: specification of statistics, two models on the same samples.
 * @example pairedTests([0.9, 0.8], [0.5, 0.7]).meanDifference // 0.25
 */
export function pairedTests(a: readonly number[], b: readonly number[]): PairedTests {
  const n = a.length;
  if (n < 2) return { n, ...nothing };
  const differences = a.map((score, i) => score - b[i]!);
  const meanDifference = mean(differences);
  const sdDifference = Math.sqrt(variance(differences, 1));
  const { statistic, p: wilcoxonP } = wilcoxon(differences);
  return {
    ...{ n, meanA: mean(a), meanB: mean(b), meanDifference, sdDifference },
    ...tTest(meanDifference, sdDifference, n),
    ...{ wilcoxon: statistic, wilcoxonP, cohensD: cohensD(a, b) },
  };
}

const nothing = {
  ...{ meanA: null, meanB: null, meanDifference: null, sdDifference: null, t: null, p: null },
  ...{ wilcoxon: null, wilcoxonP: null, cohensD: null, dz: null },
};

function tTest(difference: number, sd: number, n: number) {
  if (sd <= NO_SPREAD) return { t: null, p: Math.abs(difference) <= NO_SPREAD ? 1 : 0, dz: null };
  const dz = difference / sd;
  const t = dz * Math.sqrt(n);
  return { t, p: studentTwoSided(t, n - 1), dz };
}
