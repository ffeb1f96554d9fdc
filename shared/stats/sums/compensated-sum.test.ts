import fc from "fast-check";
import { expect, test } from "vitest";
import { addEach, addTo, eachSum, noSums, sumOf } from "./compensated-sum.ts";

const total = (values: readonly number[]): number => {
  const sums = noSums();
  for (const value of values) addTo(sums, value);
  return sumOf(sums);
};

test.each([
  ["of no numbers is 0", [], 0],
  ["of one number is the number", [1 / 3], 1 / 3],
  ["keeps small numbers next to large ones", [1, 1e100, 1, -1e100], 2],
  ["of a million tenths is 100,000", new Array<number>(1e6).fill(0.1), 1e5],
])("sumOf() %s", (_, values, expected) => {
  expect(total(values)).toBe(expected);
});

test("sumOf() differs between orders of adding only in its last digit", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1e9, noNaN: true })), (values) => {
      const sum = total(values);
      expect(Math.abs(total(values.toReversed()) - sum)).toBeLessThanOrEqual(sum * 2 ** -51);
    }),
  );
});

test("addEach() keeps sums separate, and eachSum() returns them in order", () => {
  const sums = noSums(2);
  for (const values of [
    [1, 0.1],
    [1, 0.2],
  ]) {
    addEach(sums, values);
  }
  expect(eachSum(sums)).toEqual([2, 0.1 + 0.2]);
});
