import { expect, it } from "vitest";
import { equalInterval } from "../../stats/significance/rate-interval.ts";
import { wilsonInterval } from "../../stats/significance/wilson-interval.ts";
import { intervalOf, shareInterval, uncertain } from "./interval-of.ts";

const mean = ([sum = 0, count = 0]: Float64Array) => (count === 0 ? null : sum / count);
const basisOf = (scores: readonly (number | null)[], unitOf = scores.map((_, i) => i)) => ({
  values: scores.map((score) => (score === null ? [0, 0] : [score, 1])),
  unitOf,
  units: { kind: "samples" as const, count: new Set(unitOf).size, strata: [] },
});
const drawn = (value: number, n: number, interval: [number, number] = [0.1, 0.9]) => ({
  value,
  statistic: mean,
  interval,
  n,
});

it("intervalOf() is Wilson's for a mean of zeros and ones, without missing values", () => {
  const basis = basisOf([1, 0, 1, 1, null]);
  expect(intervalOf(basis, "ratio", drawn(0.75, 4))).toEqual(wilsonInterval(3, 4));
});

it("intervalOf() is wider for a rate of clusters", () => {
  const scores = Array.from({ length: 40 }, (_, i) => Number(i % 8 < 4));
  const apart = intervalOf(basisOf(scores), "ratio", drawn(0.5, 40))!;
  const units = scores.map((_, i) => Math.floor(i / 4));
  const together = intervalOf(basisOf(scores, units), "ratio", drawn(0.5, 40))!;
  expect(together[1] - together[0]).toBeGreaterThan(1.5 * (apart[1] - apart[0]));
});

it("intervalOf() uses the resamples for other scores and for figures that are not means", () => {
  expect(intervalOf(basisOf([1, 0, 0.5]), "ratio", drawn(0.5, 3))).toEqual([0.1, 0.9]);
  expect(intervalOf(basisOf([1, 0, 1]), "ratio", drawn(0.4, 3))).toEqual([0.1, 0.9]);
  const inBlocks = { ...basisOf([]), values: null, unitOf: null };
  expect(intervalOf(inBlocks, "ratio", drawn(0.5, 30_000))).toEqual([0.1, 0.9]);
  // A total of 0 is not a rate.
  expect(intervalOf(basisOf([0, 0, 0]), "count", drawn(0, 3, [0, 0]))).toBeNull();
});

it("intervalOf() of equal scores has a positive width for bounded units, and is null otherwise", () => {
  const basis = basisOf(Array(20).fill(0.7));
  const equal = drawn(0.7, 20, [0.7, 0.7]);
  expect(intervalOf(basis, "ratio", equal)).toEqual(equalInterval(0.7, 20, [0, 1]));
  expect(intervalOf(basis, "ms", equal)).toBeNull();
  expect(intervalOf(basis, "ms", { ...equal, n: 1_000 })).toEqual([0.7, 0.7]);
});

it.each([72, 5_000])("intervalOf() has a positive width for 0 of %d samples", (n) => {
  const basis = basisOf(Array(n).fill(0));
  const none = drawn(0, n, [0, 0]);
  expect(intervalOf(basis, "ratio", none)).toEqual(wilsonInterval(0, n));
  // The same holds for a ratio of sums, which is not a mean of samples.
  const ratio = { ...none, statistic: () => null };
  expect(intervalOf(basis, "ratio", ratio)).toEqual(wilsonInterval(0, n));
});

it("intervalOf() of equal scores in few clusters depends on the number of clusters, not of samples", () => {
  const scores = Array<number>(1_000).fill(0.7);
  const basis = basisOf(
    scores,
    scores.map((_, i) => i % 8),
  );
  const clusters = { ...basis, units: { ...basis.units, kind: "clusters" as const } };
  const equal = drawn(0.7, 1_000, [0.7, 0.7]);
  expect(intervalOf(clusters, "ratio", equal)).toEqual(equalInterval(0.7, 8, [0, 1]));
});

it("shareInterval() of equal resamples is the interval of n equal values", () => {
  expect(shareInterval([1, 1], 1, 30)).toEqual(equalInterval(1, 30, [0, 1]));
  expect(shareInterval([0.8, 1], 0.9, 30)).toEqual([0.8, 1]);
  expect(shareInterval([1, 1], 1, 1_000)).toEqual(equalInterval(1, 1_000, [0, 1]));
  expect(shareInterval(null, 1, 30)).toBeNull();
  expect(shareInterval([1, 1], null, 0)).toEqual([1, 1]);
});

it("uncertain() hides intervals without width below a thousand samples", () => {
  expect(uncertain([5, 5], 999)).toBeNull();
  expect(uncertain([5, 5], 1_000)).toEqual([5, 5]);
  expect(uncertain([4, 5], 12)).toEqual([4, 5]);
});
