import { expect, test } from "vitest";
import { type Correlation, pearson, pearsonOfSums } from "./pearson.ts";

const sumsOf = (x: number[], y: number[]) => {
  const total = (values: number[]) => values.reduce((a, b) => a + b, 0);
  const products = (a: number[], b: number[]) => total(a.map((value, i) => value * b[i]!));
  return {
    n: x.length,
    x: total(x),
    y: total(y),
    xx: products(x, x),
    yy: products(y, y),
    xy: products(x, y),
  };
};
const rounded = ({ r, p, n }: Correlation) => [r?.toFixed(12), p?.toFixed(9), n];

/** Golden values: scipy.stats.pearsonr, SciPy 1. */
test.each([
  [[1, 2, 3, 4, 5], [2, 1, 4, 3, 5], 0.8, 0.10408803866182799],
  [
    [10, 8, 13, 9, 11, 14],
    [8.04, 6.95, 7.58, 8.81, 8.33, 9.96],
    0.5644329959169474,
    0.2432603381816677,
  ],
  [[1, 2, 4], [3, 1, 0], -0.9285714285714286, 0.2420754366473534],
])("pearson(%j, %j) is %d with p %d", (x, y, r, p) => {
  const found = pearson(x, y);
  expect(found.r).toBeCloseTo(r, 11);
  expect(found.p).toBeCloseTo(p, 11);
  expect(rounded(pearsonOfSums(sumsOf(x, y)))).toEqual(rounded(found));
});

test.each([
  [[], []],
  [
    [1, 2],
    [1, 2],
  ],
  [
    [1, 1, 1],
    [1, 2, 3],
  ],
  [
    [1, 2, 3],
    [0.1, 0.1, 0.1],
  ],
])("pearson(%j, %j) is undefined", (x: number[], y: number[]) => {
  expect(pearson(x, y)).toEqual({ r: null, p: null, n: x.length });
  expect(pearsonOfSums(sumsOf(x, y))).toEqual({ r: null, p: null, n: x.length });
});

test("pearson() of a straight line is 1 or −1 with p 0", () => {
  expect(pearson([1, 2, 3], [2, 4, 6])).toEqual({ r: 1, p: 0, n: 3 });
  expect(pearson([1, 2, 3], [6, 4, 2])).toEqual({ r: -1, p: 0, n: 3 });
});
