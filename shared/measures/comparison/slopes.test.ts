import { expect, it } from "vitest";
import { slopes } from "./slopes.ts";

type Values = readonly (number | null)[];
const at = (values: Values, k: number) => values[k] ?? Number.NaN;
const near = (slope: number) =>
  expect.closeTo(slope, 8 - Math.ceil(Math.log10(Math.abs(slope) + 1)));

it.each<[string, (values: Values) => number | null, Values, number[]]>([
  ["a sum", (v) => 3 * at(v, 0) - at(v, 1), [0.7, 0.2], [3, -1]],
  ["a product", (v) => at(v, 0) * at(v, 1), [0.5, 0.25], [0.25, 0.5]],
  ["a quotient of small numbers", (v) => at(v, 0) / at(v, 1), [0.5, 1e-4], [1e4, -5e7]],
  ["a harmonic mean", (v) => (2 * at(v, 0) * at(v, 1)) / (at(v, 0) + at(v, 1)), [1, 1], [0.5, 0.5]],
  ["milliseconds", (v) => 1 - at(v, 0) / 500, [320], [-1 / 500]],
  ["what is clipped", (v) => Math.max(0, 1 - at(v, 0) / 500), [800], [0]],
])("slopes() of %s", (_, figure, values, expected) => {
  expect(slopes(figure, values)).toEqual(expected.map(near));
});

it.each<[string, (value: number) => number | null, number, number]>([
  ["where clipping begins", (value) => Math.max(0, 1 - value / 500), 500, -1 / 500],
  ["at the end of the range", (value) => Math.min(1, value), 1, 1],
  ["where only one side is known", (value) => (value > 1 ? null : 2 * value), 1, 2],
  ["at a tip", (value) => -Math.abs(value), 0, -1],
])("slopes() takes one side %s", (_, figure, value, expected) => {
  const [slope] = slopes(([only]) => figure(only ?? Number.NaN), [value]);
  expect(Math.abs(slope ?? 0)).toBeCloseTo(Math.abs(expected), 9);
});

it("slopes() are 0 for values that are null, and where nothing is known", () => {
  const total = ([a, b]: Values) => (a ?? 0) + (b ?? 0);
  expect(slopes(total, [null, 0.5])).toEqual([0, 1]);
  expect(slopes(() => null, [0.5])).toEqual([0]);
});
