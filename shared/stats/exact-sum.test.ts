import fc from "fast-check";
import { expect, test } from "vitest";
import { addExact, type ExactSum, exactValue, mergeExact, noSum } from "./exact-sum.ts";

const sumOf = (values: readonly number[]): ExactSum => {
  const sum = noSum();
  for (const value of values) addExact(sum, value);
  return sum;
};
const value = fc.double({ min: 0, max: 1e9, noNaN: true });

test("addExact() gives the same parts in any order and grouping, close to the plain sum", () => {
  fc.assert(
    fc.property(fc.array(value), fc.nat(), (values, cut) => {
      const sum = sumOf(values);
      expect(sumOf(values.toReversed())).toEqual(sum);
      const merged = sumOf(values.slice(cut));
      mergeExact(merged, sumOf(values.slice(0, cut)));
      expect(merged).toEqual(sum);
      const plain = values.reduce((a, b) => a + b, 0);
      expect(Math.abs(exactValue(sum) - plain)).toBeLessThanOrEqual(plain * 1e-13 + 1e-13);
    }),
  );
});

test.each([0, 1, 0.5, 1 / 3, 12345.678, 2 ** 40])("exactValue() of %d alone is itself", (value) => {
  expect(exactValue(sumOf([value]))).toBeCloseTo(value, 15);
});

test("addExact() adds a value several times", () => {
  const sum = noSum();
  addExact(sum, 0.1, 3);
  expect(sum).toEqual(sumOf([0.1, 0.1, 0.1]));
});
