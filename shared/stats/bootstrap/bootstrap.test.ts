import { expect, test } from "vitest";
import { bootstrap, resampleCount } from "./bootstrap.ts";
import { bootstrapMean } from "./bootstrap-mean.ts";
import { sumFigures } from "./percentile-figures.ts";
import { combineStatistics, ratiosOf } from "./statistics.ts";

test("bootstrap() draws as many units as there are in every resample", () => {
  const totals: number[] = [];
  const watch = {
    count: 1,
    evaluate: (batch: readonly Float64Array[]) => {
      for (const times of batch) totals.push(times.reduce((sum, one) => sum + one, 0));
    },
  };
  bootstrap(7, "run", [watch]);
  expect(resampleCount).toBe(10_000);
  expect(totals).toHaveLength(resampleCount);
  expect(new Set(totals)).toEqual(new Set([7]));
});

test("bootstrap() is null below two units", () => {
  const figures = sumFigures(
    [Float64Array.of(1)],
    combineStatistics([(sums) => sums[0]!, () => 1]),
  );
  expect(bootstrap(1, "run", [figures])).toEqual([null, null]);
});

test("bootstrap() omits resamples without a figure", () => {
  const statistics = [(sums: Float64Array) => (sums[0] === 0 ? null : 1), () => null];
  const figures = sumFigures([Float64Array.of(0, 1)], combineStatistics(statistics));
  expect(bootstrap(2, "run", [figures])).toEqual([[1, 1], null]);
});

test("bootstrap() computes all figures from the same resamples", () => {
  const correct = Float64Array.of(3, 0, 5, 2);
  const total = Float64Array.of(4, 4, 4, 4);
  const mean = bootstrapMean(correct, "run")!;
  const ratio = sumFigures([correct, total], ratiosOf([[0, 1]]));
  const sum = sumFigures([correct], combineStatistics([(sums) => sums[0]!]));
  const [ofRatio, ofSum] = bootstrap(4, "run", [ratio, sum]);
  expect(ofRatio).toEqual(mean.map((end) => end / 4));
  expect(ofSum).toEqual(mean.map((end) => end * 4));
});

test("bootstrap() draws the first resamples of the same stream when fewer are requested", () => {
  const seen: number[] = [];
  const watch = (batch: readonly Float64Array[]) => seen.push(...batch.map((times) => times[0]!));
  const figures = [{ count: 1, evaluate: watch }];
  bootstrap(5, "run", figures, { resamples: 8 });
  bootstrap(5, "run", figures, { resamples: 4 });
  expect(seen.slice(8)).toEqual(seen.slice(0, 4));
});

test("bootstrap() draws each stratum separately, with its own size", () => {
  const drawn = new Set<string>();
  const watch = {
    count: 0,
    evaluate(batch: readonly Float64Array[]) {
      for (const times of batch) {
        const sum = (from: number, to: number) => times.slice(from, to).reduce((a, b) => a + b, 0);
        drawn.add([sum(0, 3), sum(3, 4), sum(4, 9)].join());
      }
    },
  };
  bootstrap(9, "run", [watch], { strata: [3, 1, 5] });
  expect([...drawn]).toEqual(["3,1,5"]);
});
