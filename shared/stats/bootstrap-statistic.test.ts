import { expect, it } from "vitest";
import { agreement, squared } from "./agreement.ts";
import { bootstrapMean } from "./bootstrap-mean.ts";
import { bootstrapStatistic } from "./bootstrap-statistic.ts";
import { krippendorffAlpha } from "./krippendorff-alpha.ts";
import { mean } from "./moments.ts";

const ratings = Array.from({ length: 60 }, (_, i) => {
  const first = 1 + ((i * 7) % 5);
  return [first, i % 4 === 0 ? Math.min(5, first + 1) : first] as const;
});

it("bootstrapStatistic() of a mean is the interval of the mean", () => {
  const values = ratings.map(([first]) => first);
  const [low, high] = bootstrapMean(Float64Array.from(values), "run-1") ?? [];
  expect(bootstrapStatistic(values, "run-1", mean)).toEqual([
    expect.closeTo(low ?? 0, 12),
    expect.closeTo(high ?? 0, 12),
  ]);
});

it("bootstrapStatistic() puts intervals around agreement that hold the figure itself", () => {
  const kappaOf = (items: readonly (readonly [number, number])[]) =>
    agreement(
      items.map(([a]) => a),
      items.map(([, b]) => b),
      squared,
    ).kappa;
  for (const statistic of [kappaOf, krippendorffAlpha]) {
    const value = statistic(ratings) ?? 0;
    const [low, high] = bootstrapStatistic(ratings, "judges", statistic, 2_000) ?? [1, 0];
    expect(low).toBeLessThan(value);
    expect(high).toBeGreaterThan(value);
    expect(high).toBeLessThanOrEqual(1);
    expect(high - low).toBeLessThan(0.2);
  }
});

it("bootstrapStatistic() has no interval below two items, or where the figure is never defined", () => {
  expect(bootstrapStatistic([[1, 1]], "one", krippendorffAlpha)).toBeNull();
  expect(
    bootstrapStatistic(
      [
        [1, 1],
        [1, 1],
      ],
      "alike",
      krippendorffAlpha,
      100,
    ),
  ).toBeNull();
});
