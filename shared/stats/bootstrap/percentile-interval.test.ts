import fc from "fast-check";
import { expect, it } from "vitest";
import { percentile } from "../sums/percentile.ts";
import { PercentileIntervals } from "./percentile-interval.ts";

/** The ends of the values, added next to another stream of numbers. */
const endsOf = (values: readonly number[], most = values.length, tail = 0.025) => {
  const intervals = new PercentileIntervals(2, most, tail);
  for (const [i, value] of values.entries()) intervals.add(Float64Array.of(9, i, value), 1);
  return intervals.ends()[1];
};

/** The same percentiles by sorting all numbers. */
function endsOfSorted(values: readonly number[], tail = 0.025) {
  const sorted = Float64Array.from(values).sort();
  return sorted.length === 0 ? null : [percentile(sorted, tail)!, percentile(sorted, 1 - tail)!];
}

it("PercentileIntervals gives the percentiles of all added numbers, in any order", () => {
  const finite = fc.double({ noDefaultInfinity: true, noNaN: true });
  const values = fc.array(fc.oneof(finite, fc.integer({ min: 0, max: 3 })), { maxLength: 1_500 });
  fc.assert(
    fc.property(values, fc.nat({ max: 9_000 }), (given, more) => {
      const found = endsOf(given, given.length + more);
      const expected = endsOfSorted(given);
      expect(found?.map((end) => end + 0) ?? null).toEqual(expected?.map((end) => end + 0) ?? null);
    }),
  );
});

it("PercentileIntervals gives the percentiles of a share, from the outermost numbers on", () => {
  const values = Array.from({ length: 1_000 }, (_, i) => ((i * 7_919) % 1_000) / 3);
  for (const tail of [0, 1e-9, 0.004, 0.0132]) {
    expect(endsOf(values, values.length, tail)).toEqual(endsOfSorted(values, tail));
  }
});

it("PercentileIntervals accepts ascending and descending numbers", () => {
  const rising = Array.from({ length: 10_000 }, (_, i) => i / 3);
  const expected = endsOfSorted(rising);
  expect(endsOf(rising)).toEqual(expected);
  expect(endsOf(rising.toReversed())).toEqual(expected);
});

it("PercentileIntervals ignores non-finite numbers", () => {
  expect(endsOf([3, Number.NaN, 1, Number.POSITIVE_INFINITY, 2])).toEqual([1.05, 2.95]);
  expect(endsOf([Number.NaN])).toBeNull();
});
