import fc from "fast-check";
import { expect, test } from "vitest";
import { packColumns, unpackSum } from "./pack-columns.ts";

const sumOf = (values: Float64Array) => values.reduce((a, b) => a + b, 0);

test("packColumns() puts small whole numbers into shared arrays, but no fractions", () => {
  const columns = [Float64Array.of(1, 0), Float64Array.of(0.5, 0), Float64Array.of(3, 2)];
  const packs = packColumns(columns);
  expect(packs.map(({ digits }) => digits.map((digit) => digit.columns))).toEqual([
    [[0], [2]],
    [[1]],
  ]);
});

test("packColumns() starts a new array when a sum would lose digits", () => {
  const large = [Float64Array.of(2 ** 30, 1), Float64Array.of(2 ** 30, 2)];
  expect(packColumns(large)).toHaveLength(2);
  expect(packColumns([Float64Array.of(2 ** 53, 2)])).toHaveLength(1);
});

test("packColumns() stores equal columns once, including fractions", () => {
  const half = () => Float64Array.of(0.5, 1);
  const columns = [half(), Float64Array.of(2, 1), half(), Float64Array.of(2, 1), half()];
  const packs = packColumns(columns);
  expect(packs.map(({ digits }) => digits.map((digit) => digit.columns))).toEqual([
    [[0, 2, 4]],
    [[1, 3]],
  ]);
  const sums = new Float64Array(5);
  for (const { values, digits } of packs) unpackSum(sumOf(values), digits, sums);
  expect([...sums]).toEqual([1.5, 3, 1.5, 3, 1.5]);
});

test("unpackSum() gives back the sum of every column over any resample", () => {
  const column = fc.array(fc.integer({ min: 0, max: 5000 }), { minLength: 4, maxLength: 4 });
  const columns = fc.array(fc.oneof(column, fc.constant([3, 0, 1, 7])), {
    minLength: 1,
    maxLength: 9,
  });
  const draws = fc.array(fc.nat({ max: 3 }), { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(columns, draws, (rows, drawn) => {
      const given = rows.map((row) => Float64Array.from(row));
      const sums = new Float64Array(given.length);
      for (const { values, digits } of packColumns(given)) {
        unpackSum(sumOf(Float64Array.from(drawn, (i) => values[i]!)), digits, sums);
      }
      const expected = given.map((values) => sumOf(Float64Array.from(drawn, (i) => values[i]!)));
      expect([...sums]).toEqual(expected);
    }),
  );
});
