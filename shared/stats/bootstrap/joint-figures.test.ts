import { expect, it } from "vitest";
import { percentile } from "../sums/percentile.ts";
import { bootstrapMean } from "./bootstrap-mean.ts";
import { jointFigures, jointMeans } from "./joint-figures.ts";
import { tailShare } from "./tail-share.ts";

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

it("jointFigures() of single ratios equals jointMeans()", () => {
  const ratios = models.flat();
  const own = ratios.map((one) => [one]);
  expect(jointFigures(own, ([value]) => value ?? 1, "seed")).toEqual(jointMeans(ratios, "seed"));
});

it("jointFigures() computes each figure from ratios of the same resample", () => {
  const parts = jointMeans(models.flat(), "seed");
  const found = jointFigures(models, ([a, b]) => (a ?? 0) - 2 * (b ?? 0), "seed");
  expect(found).toEqual(
    models.map((_, m) => parts[2 * m]?.map((a, draw) => a - 2 * (parts[2 * m + 1]?.[draw] ?? 0))),
  );
});

it("jointFigures() omits a resample for all models if one model has no figure in it", () => {
  // The second model divides by the first unit alone, which about 37% of resamples don't contain.
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

it("jointFigures() has no draws for fewer than two units or no models", () => {
  const one = { of: Float64Array.of(1), over: Float64Array.of(1) };
  expect(jointFigures([[one]], () => 1, "one")).toEqual([new Float64Array(0)]);
  expect(jointFigures([], () => 1, "none")).toEqual([]);
});

const scores = Float64Array.from({ length: 50 }, (_, i) => ((i * 7) % 10) / 10);
const ones = new Float64Array(50).fill(1);

it("jointMeans() draws the same samples for every column, as bootstrapMean() does", () => {
  const [a, twice] = jointMeans(
    [scores, scores.map((score) => 2 * score)].map((of) => ({ of, over: ones })),
    "run-1",
  );
  expect(Array.from(twice as Float64Array)).toEqual(
    Array.from(a as Float64Array).map((mean) => expect.closeTo(2 * mean, 12)),
  );
  const sorted = (a as Float64Array).slice().sort();
  const tail = tailShare(scores.length);
  const interval = [percentile(sorted, tail), percentile(sorted, 1 - tail)];
  const [low, high] = bootstrapMean(scores, "run-1") ?? [];
  expect(interval).toEqual([expect.closeTo(low ?? 0, 12), expect.closeTo(high ?? 0, 12)]);
});

it("jointMeans() of clusters divides by the samples that were drawn with them", () => {
  // Clusters of 1 and 3 samples with a score of 1: every mean is 1 in every draw.
  const [draws] = jointMeans(
    [{ of: Float64Array.of(1, 3), over: Float64Array.of(1, 3) }],
    "clusters",
  );
  expect(new Set(draws)).toEqual(new Set([1]));
});

it("jointMeans() has no draws for fewer than two units", () => {
  expect(jointMeans([{ of: Float64Array.of(1), over: Float64Array.of(1) }], "one")).toEqual([
    new Float64Array(0),
  ]);
});

it("jointMeans() makes fewer draws for large inputs", () => {
  const column = new Float64Array(10_000).fill(0.5);
  const over = new Float64Array(10_000).fill(1);
  const ratios = Array.from({ length: 49 }, () => ({ of: column.slice(), over }));
  expect(jointMeans(ratios, "large")[0]?.length).toBe(4_000);
});
