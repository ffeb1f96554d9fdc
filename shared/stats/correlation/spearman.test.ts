import fc from "fast-check";
import { expect, test } from "vitest";
import { averageRanks, spearman } from "./spearman.ts";

test.each([
  [[], []],
  [[5], [1]],
  [
    [10, 30, 10],
    [1.5, 3, 1.5],
  ],
  [
    [2, 2, 2, -1],
    [3, 3, 3, 1],
  ],
  [
    [0.3, 0.1 + 0.2, 0],
    [2.5, 2.5, 1],
  ],
])("averageRanks(%j) is %j", (values, ranks) => {
  expect(averageRanks(values)).toEqual(ranks);
});

/** SciPy 1.14, stats.spearmanr. */
test("spearman() equals SciPy's", () => {
  const { r, p, n } = spearman([1, 2, 3, 4, 5], [5, 6, 7, 8, 7]);
  expect(r).toBeCloseTo(0.8207826816681233, 12);
  expect(p).toBeCloseTo(0.08858700531354381, 9);
  expect(n).toBe(5);
});

test.each([
  [
    [1, 2],
    [1, 2],
  ],
  [
    [1, 1, 1],
    [1, 2, 3],
  ],
])("spearman(%j, %j) is not defined", (x, y) => {
  expect(spearman(x, y)).toMatchObject({ r: null, p: null });
});

test("spearman() does not change under monotonic transformations", () => {
  const pairs = fc.array(fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer()), {
    minLength: 3,
  });
  fc.assert(
    fc.property(pairs, (all) => {
      const [x, y] = [all.map(([a]) => a), all.map(([, b]) => b)];
      expect(
        spearman(
          x.map((a) => a ** 3 + 7),
          y,
        ).r,
      ).toEqual(spearman(x, y).r);
    }),
  );
});
