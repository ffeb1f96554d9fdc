import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { addCounts, binnedHistogram } from "./binned-histogram.ts";
import { addBinned, noBins } from "./log-bins.ts";

function histogramOf(values: readonly number[]) {
  const bins = noBins();
  for (const value of values) addBinned(bins, value);
  return binnedHistogram(bins);
}

const spread = (n: number, from: number, to: number) =>
  Array.from({ length: n }, (_, i) => from + ((to - from) * i) / (n - 1));

describe("binnedHistogram()", () => {
  it("is empty without values, and has one bin for equal values", () => {
    expect(histogramOf([])).toEqual([]);
    expect(histogramOf([400, 400])).toEqual([{ from: 400, to: 408, count: 2 }]);
    expect(histogramOf([0])).toEqual([{ from: 0, to: 1, count: 1 }]);
  });

  it("has bins of equal width up to a ratio of ten", () => {
    expect(histogramOf(spread(26, 100, 1_000))).toEqual([
      { from: 100, to: 250, count: 5 },
      { from: 250, to: 400, count: 4 },
      { from: 400, to: 550, count: 4 },
      { from: 550, to: 700, count: 4 },
      { from: 700, to: 850, count: 4 },
      { from: 850, to: 1_000, count: 5 },
    ]);
  });

  it("has bins of equal ratio above, unless the smallest value is 0", () => {
    const bins = histogramOf([1, 3, 30, 300, 500, 700, 900, 10_000]);
    expect(bins.map(({ from, to, count }) => [from, to, count])).toEqual([
      [1, 10, 2],
      [10, 100, 1],
      [100, 1_000, 4],
      [1_000, 10_000, 1],
    ]);
    expect(histogramOf([0, ...spread(7, 1, 800)]).map(({ from }) => from)).toEqual([
      0, 200, 400, 600,
    ]);
  });

  it.each([
    [8, 4],
    [1_000, 20],
    [1_001, 21],
    [100_000, 24],
  ])("of %i values has %i bins", (n, bins) => {
    expect(histogramOf(spread(n, 100, 900))).toHaveLength(bins);
  });

  it("has no bin narrower than the resolution of the values", () => {
    expect(histogramOf(spread(1_000, 1_000, 1_100))).toHaveLength(4);
    expect(histogramOf(spread(1_000, 1_000, 1_001))).toHaveLength(1);
  });

  it("counts every value once between adjacent bounds, in any order", () => {
    const values = fc.array(
      fc.nat(1e9).map((value) => value / 1_000),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(values, (given) => {
        const bins = histogramOf(given);
        expect(bins.length).toBeLessThanOrEqual(24);
        expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(given.length);
        expect(bins[0]?.from).toBe(Math.min(...given));
        expect(bins.at(-1)?.to).toBeGreaterThanOrEqual(Math.max(...given));
        for (const [i, { from, to }] of bins.entries()) {
          expect(to).toBeGreaterThan(from);
          expect(from).toBe(bins[i - 1]?.to ?? from);
        }
        expect(histogramOf(given.toReversed())).toEqual(bins);
      }),
    );
  });
});

test("addCounts() adds at every depth, and copies missing entries", () => {
  const counts = { a: 1, b: [1, 2], c: { 7: 1 } };
  const other = { b: [3, 4], c: { 5: 2, 7: 1 }, d: { e: [5] } };
  addCounts(counts, other);
  expect(counts).toEqual({ a: 1, b: [4, 6], c: { 5: 2, 7: 2 }, d: { e: [5] } });
  addCounts(counts, other);
  expect(other.d.e).toEqual([5]);
});

test("addCounts() keeps whole-number names in order", () => {
  const counts = { 9: 1 };
  addCounts(counts, { 10: 1, 2: 1 });
  expect(JSON.stringify(counts)).toBe('{"2":1,"9":1,"10":1}');
});
