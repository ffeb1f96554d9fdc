import { expect, test } from "vitest";
import {
  addValue,
  countFrom,
  histogram,
  noSpread,
  spreadMean,
  spreadMedian,
  spreadValues,
} from "./unit-spread.ts";

const spreadOf = (values: readonly number[]) => {
  const spread = noSpread();
  for (const value of values) addValue(spread, value);
  return spread;
};
const many = Array.from({ length: 5000 }, (_, i) => Math.abs(Math.sin(i)));

test("a spread of few values is exact", () => {
  const spread = spreadOf([0, 0.25, 0.85, 1]);
  expect(spreadMean(spread)).toBe(0.525);
  expect(spreadMedian(spread)).toBeCloseTo(0.55, 12);
  expect(countFrom(spread, 0.85)).toBe(2);
  expect(histogram(spread, 4)).toEqual([1, 1, 0, 2]);
});

test("spreadValues() returns few values exactly, and many within 0.0005, never above 1", () => {
  expect(spreadValues(noSpread())).toEqual([]);
  expect(spreadValues(spreadOf([0.85, 0.25, 1, 0.25]))).toEqual([0.25, 0.25, 0.85, 1]);
  const sorted = [...many, 1].toSorted((a, b) => a - b);
  const values = spreadValues(spreadOf(sorted));
  expect(values).toHaveLength(sorted.length);
  const off = values.map((value, i) => Math.abs(value - sorted[i]!));
  expect(Math.max(...off)).toBeLessThanOrEqual(0.0005 + 1e-9);
  expect(values.at(-1)).toBeLessThanOrEqual(1);
});

test("an empty spread has no mean or median", () => {
  expect([spreadMean(noSpread()), spreadMedian(noSpread())]).toEqual([null, null]);
});

test("a spread of many values keeps the mean, and the median within 0.0005", () => {
  const spread = spreadOf(many);
  const sorted = many.toSorted((a, b) => a - b);
  expect(Object.keys(spread.counts).length).toBeLessThanOrEqual(1001);
  expect(spreadMean(spread)).toBeCloseTo(many.reduce((a, b) => a + b, 0) / many.length, 12);
  const difference = spreadMedian(spread)! - (sorted[2499]! + sorted[2500]!) / 2;
  expect(Math.abs(difference)).toBeLessThanOrEqual(0.0005 + 1e-9);
  expect(countFrom(spread, 0.85)).toBe(many.filter((value) => value >= 0.85).length);
});
