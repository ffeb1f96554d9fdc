import { expect, it } from "vitest";
import { normalTwoSided, wilcoxon } from "./wilcoxon.ts";

// p-values of scipy.stats.wilcoxon 1.14 (zero_method "wilcox", correction False).
it.each([
  ["fewer than two pairs", [0.1], null, null],
  ["no pairs", [], null, null],
  ["zero differences", [0, 0, 0], null, 1],
  ["three positive differences", [1, 2, 3], 0, 0.25],
  ["an even split", [0.1, 0.2, -0.3], 3, 1],
  ["ten differences, exactly", [1, 2, 3, 4, 5, 6, 7, 8, 9, -10], 10, 0.083984375],
])("wilcoxon() of %s", (_, differences, statistic, p) => {
  expect(wilcoxon(differences)).toEqual({ statistic, p });
});

it("wilcoxon() treats differences that differ only by rounding as a tie", () => {
  const tied = wilcoxon([0.3 - 0.1, 0.2, -0.2]);
  expect(tied.statistic).toBe(2);
  // mean 3, variance (3·4·7 − 24/2)/24 = 3, z = −1/√3.
  expect(tied.p).toBeCloseTo(0.5637028616507731, 12);
});

it("wilcoxon() drops zeros and then approximates: 4 of 5 left, W = 1", () => {
  // ranks of 1, 2, 3 positive and of −0.5 negative: W− = 1; mean 5, variance 7.5.
  const { statistic, p } = wilcoxon([0, 1, 2, 3, -0.5]);
  expect(statistic).toBe(1);
  expect(p).toBeCloseTo(0.14412703481601533, 12);
});

/** Differences 1 to n, every third negative, without ties or zeros. */
const distinct = (n: number) =>
  Array.from({ length: n }, (_, i) => (i % 3 === 0 ? -1 : 1) * (i + 1));

/** The normal approximation by its formula. */
function approximate(n: number, statistic: number): number {
  const z = (statistic - (n * (n + 1)) / 4) / Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24);
  return normalTwoSided(z);
}

it("wilcoxon() is exact up to 50 differences and normal from 51 on", () => {
  for (const n of [21, 50]) {
    const { statistic, p } = wilcoxon(distinct(n));
    expect(Math.abs((p ?? 0) - approximate(n, statistic ?? 0))).toBeGreaterThan(1e-5);
  }
  const { statistic, p } = wilcoxon(distinct(51));
  expect(p).toBeCloseTo(approximate(51, statistic ?? 0), 12);
});
