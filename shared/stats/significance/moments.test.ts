import { expect, it, test } from "vitest";
import { cohensD, effectSize, studentTwoSided } from "./moments.ts";

/** Golden values: 2 · scipy.stats.t.sf(t, degrees), SciPy 1. */
test.each([
  [2, 5, 0.10193947882985835],
  [1, 1, 0.5],
  [1, 2, 0.4226497308103742],
  [40, 3, 3.4380680789158506e-5],
  [0.5, 1000, 0.6171850808338747],
  [12, 30, 5.580185415199261e-13],
  [-2.5, 10_000, 0.012435219550583698],
  [0, 7, 1],
])("studentTwoSided(%d, %d) is %d", (t, degrees, p) => {
  expect(studentTwoSided(t, degrees)).toBeCloseTo(p, 11);
});

it("cohensD() divides by the root mean of both population variances", () => {
  // Means 3 and 2, variances 1 and 1.
  expect(cohensD([2, 4], [1, 3])).toBe(1);
});

it("cohensD() is 0 when neither side varies", () => {
  expect(cohensD([1, 1], [0, 0])).toBe(0);
});

it.each([
  [0, "negligible"],
  [0.19, "negligible"],
  [-0.2, "small"],
  [0.5, "medium"],
  [-0.8, "large"],
])("effectSize(%d) is %s", (d, word) => {
  expect(effectSize(d)).toBe(word);
});
