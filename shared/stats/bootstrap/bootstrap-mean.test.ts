import fc from "fast-check";
import { expect, test } from "vitest";
import { percentile } from "../sums/percentile.ts";
import { drawIndex, xoshiro128 } from "../xoshiro128.ts";
import { bootstrapMean } from "./bootstrap-mean.ts";
import { tailShare } from "./tail-share.ts";

test.each([[[]], [[0.5]]])("bootstrapMean(%j) is null below two values", (values: number[]) => {
  expect(bootstrapMean(values, "run")).toBeNull();
});

test("bootstrapMean() uses the percentiles of resampled means that few values need", () => {
  const values = [0.1, 0.4, 0.9, 1, 0.2];
  const draw = xoshiro128("run-1");
  const means = Float64Array.from({ length: 10_000 }, () => {
    let sum = 0;
    for (let i = 0; i < values.length; i++) sum += values[drawIndex(draw, values.length)]!;
    return sum / values.length;
  }).sort();
  const [low, high] = bootstrapMean(values, "run-1")!;
  expect(low).toBeCloseTo(percentile(means, tailShare(5))!, 12);
  expect(high).toBeCloseTo(percentile(means, 1 - tailShare(5))!, 12);
});

test("bootstrapMean() gives the same interval for the same seed, another for another", () => {
  const values = Array.from({ length: 50 }, (_, i) => Math.sin(i));
  expect(bootstrapMean(values, "a")).toEqual(bootstrapMean(values, "a"));
  expect(bootstrapMean(values, "a")).not.toEqual(bootstrapMean(values, "b"));
});

test("bootstrapMean() of equal values is that value twice", () => {
  expect(bootstrapMean([0.25, 0.25, 0.25], "run")).toEqual([0.25, 0.25]);
});

test("bootstrapMean() stays between the smallest and the largest value", () => {
  const values = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), {
    minLength: 2,
    maxLength: 9,
  });
  fc.assert(
    fc.property(values, (sample) => {
      const [low, high] = bootstrapMean(sample, "run")!;
      expect(low).toBeLessThanOrEqual(high);
      expect(low).toBeGreaterThanOrEqual(Math.min(...sample) - 1e-12);
      expect(high).toBeLessThanOrEqual(Math.max(...sample) + 1e-12);
    }),
    { numRuns: 15 },
  );
});
