import { expect, test } from "vitest";
import { addBinned, binnedInterval, binnedMean, binnedPercentile, noBins } from "./log-bins.ts";
import { percentile } from "./percentile.ts";

const values = Array.from({ length: 3000 }, (_, i) => 50 + 4000 * Math.abs(Math.sin(i)) ** 3);
const binsOf = (values: readonly number[]) => {
  const bins = noBins();
  for (const value of values) addBinned(bins, value);
  return bins;
};

test.each([0, 0.25, 0.5, 0.95, 0.99, 1])("binnedPercentile() at %d is within 0.1%", (share) => {
  const exact = percentile(
    values.toSorted((a, b) => a - b),
    share,
  )!;
  expect(Math.abs(binnedPercentile(binsOf(values), share)! / exact - 1)).toBeLessThan(0.00101);
});

test("bins keep the mean", () => {
  expect(binnedMean(binsOf(values))).toBeCloseTo(values.reduce((x, y) => x + y, 0) / 3000, 9);
});

test("binnedInterval() contains the percentile", () => {
  const bins = binsOf(values);
  const [low, high] = binnedInterval(bins, 0.95)!;
  expect(low).toBeLessThan(binnedPercentile(bins, 0.95)!);
  expect(high).toBeGreaterThan(binnedPercentile(bins, 0.95)!);
});

test("empty bins have no figures; a value of 0 counts", () => {
  expect([
    binnedMean(noBins()),
    binnedPercentile(noBins(), 0.5),
    binnedInterval(noBins(), 0.5),
  ]).toEqual([null, null, null]);
  expect(binnedPercentile(binsOf([0]), 0.5)).toBe(0);
});

test("a bin's middle is 0.001 × 1.002ⁿ by multiplications only: the same bits in every engine", () => {
  const bins = binsOf([100, 417.5, 417.5, 2000]);
  let middle = 1e-3;
  const bin = Object.keys(bins.counts).map(Number)[1]!;
  for (let i = 0; i < 16; i++) if (bin & (1 << i)) middle *= squared(1.002, i);
  expect(binnedPercentile(bins, 0.5)).toBe(middle);
});

test("values of any size have a bin", () => {
  const bins = binsOf([Number.MAX_VALUE, Number.POSITIVE_INFINITY, 1e-300]);
  expect(Object.values(bins.counts)).toEqual([1, 2]);
});

/** A number squared repeatedly. */
const squared = (value: number, times: number): number =>
  times === 0 ? value : squared(value * value, times - 1);
