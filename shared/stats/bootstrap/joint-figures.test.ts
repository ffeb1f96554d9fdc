import { expect, it } from "vitest";
import { jointFigures } from "./joint-figures.ts";
import { jointMeans } from "./joint-means.ts";

const column = (of: (i: number) => number) => Float64Array.from({ length: 40 }, (_, i) => of(i));
const ratio = (of: (i: number) => number, over: (i: number) => number) => ({
  of: column(of),
  over: column(over),
});
const models = [1, 2, 3].map((m) => [
  ratio(
    (i) => ((i * m) % 7) / 7,
    () => 1,
  ),
  ratio(
    (i) => (i * m) % 5,
    (i) => 5 + (i % 3),
  ),
]);

it("jointFigures() of one ratio draws what jointMeans() draws", () => {
  const ratios = models.flat();
  const own = ratios.map((one) => [one]);
  expect(jointFigures(own, ([value]) => value ?? 1, "seed")).toEqual(jointMeans(ratios, "seed"));
});

it("jointFigures() takes every figure from ratios of the same resample", () => {
  const parts = jointMeans(models.flat(), "seed");
  const found = jointFigures(models, ([a, b]) => (a ?? 0) - 2 * (b ?? 0), "seed");
  expect(found).toEqual(
    models.map((_, m) => parts[2 * m]?.map((a, draw) => a - 2 * (parts[2 * m + 1]?.[draw] ?? 0))),
  );
});

it("jointFigures() leaves out, for all models, a resample that lacks the figure of one", () => {
  // The second model divides by the first unit alone, which about 37% of resamples don't hold.
  const rare = ratio(
    (i) => Number(i === 0),
    (i) => Number(i === 0),
  );
  const [all, few] = jointFigures([[models[0]![0]!], [rare]], ([value]) => value ?? null, "seed");
  expect(all?.length).toBe(few?.length);
  expect((few?.length ?? 0) / 10_000).toBeCloseTo(1 - (1 - 1 / 40) ** 40, 1);
  expect(new Set(few)).toEqual(new Set([1]));
  const kept = jointMeans([models[0]![0]!, rare], "seed")[0];
  expect(kept?.length).toBe(10_000);
  expect(all?.every((value) => kept?.includes(value))).toBe(true);
});

it("jointFigures() has no draws below two units, and none of no models", () => {
  const one = { of: Float64Array.of(1), over: Float64Array.of(1) };
  expect(jointFigures([[one]], () => 1, "one")).toEqual([new Float64Array(0)]);
  expect(jointFigures([], () => 1, "none")).toEqual([]);
});
