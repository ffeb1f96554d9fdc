import { expect, test } from "vitest";
import { bootstrapPercentiles } from "./bootstrap-percentiles.ts";
import { percentile } from "./percentile.ts";
import { drawIndex, xoshiro128 } from "./xoshiro128.ts";

test("bootstrapPercentiles() is null below two units", () => {
  expect(bootstrapPercentiles([{ value: 1, unit: 0 }], 1, [0.5, 0.95], "run")).toEqual([
    null,
    null,
  ]);
});

test("bootstrapPercentiles() is null without values", () => {
  expect(bootstrapPercentiles([], 3, [0.5], "run")).toEqual([null]);
});

test.each([0.5, 0.95, 0.99])("bootstrapPercentiles() at %d agrees with sorting resamples", (q) => {
  const values = [310, 120, 95, 800, 433, 120, 1];
  const draw = xoshiro128("run");
  const drawn = Float64Array.from({ length: 10_000 }, () => {
    const resample = values.map(() => values[drawIndex(draw, values.length)]!);
    return percentile(
      resample.sort((a, b) => a - b),
      q,
    )!;
  }).sort();
  const units = values.map((value, unit) => ({ value, unit }));
  const [interval] = bootstrapPercentiles(units, values.length, [q], "run");
  expect(interval![0]).toBeCloseTo(percentile(drawn, 0.025)!, 9);
  expect(interval![1]).toBeCloseTo(percentile(drawn, 0.975)!, 9);
});
