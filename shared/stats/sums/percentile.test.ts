import { expect, test } from "vitest";
import { percentile, spreadOf } from "./percentile.ts";

/** Golden values: numpy.percentile, NumPy 2, default method. */
test.each([
  [[1, 2, 3, 4], 0.5, 2.5],
  [[15, 20, 35, 40, 50], 0.4, 29],
  [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.95, 9.55],
  [[7], 0.99, 7],
  [[1, 2], 1, 2],
])("percentile(%j, %d) is %d", (sorted, q, value) => {
  expect(percentile(sorted, q)).toBeCloseTo(value, 12);
});

test("percentile() without values is null", () => {
  expect(percentile([], 0.5)).toBeNull();
});

test("spreadOf() has the minimum, maximum, median and sample deviation", () => {
  expect(spreadOf([3, 1, 5])).toEqual({ mean: 3, median: 3, min: 1, max: 5, sd: 2 });
  expect(spreadOf([4])).toEqual({ mean: 4, median: 4, min: 4, max: 4, sd: null });
  expect(spreadOf([])).toEqual({ mean: null, median: null, min: null, max: null, sd: null });
});
