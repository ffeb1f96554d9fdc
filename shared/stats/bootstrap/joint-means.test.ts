import { expect, it } from "vitest";
import { bootstrapMean } from "./bootstrap-mean.ts";
import { jointMeans } from "./joint-means.ts";
import { percentile } from "../sums/percentile.ts";

const scores = Float64Array.from({ length: 50 }, (_, i) => ((i * 7) % 10) / 10);
const ones = new Float64Array(50).fill(1);

it("jointMeans() draws what the bootstrap of one mean draws, for every column the same samples", () => {
  const [a, twice] = jointMeans(
    [scores, scores.map((score) => 2 * score)].map((of) => ({ of, over: ones })),
    "run-1",
  );
  expect(Array.from(twice as Float64Array)).toEqual(
    Array.from(a as Float64Array).map((mean) => expect.closeTo(2 * mean, 12)),
  );
  const sorted = (a as Float64Array).slice().sort();
  const interval = [percentile(sorted, 0.025), percentile(sorted, 0.975)];
  const [low, high] = bootstrapMean(scores, "run-1") ?? [];
  expect(interval).toEqual([expect.closeTo(low ?? 0, 12), expect.closeTo(high ?? 0, 12)]);
});

it("jointMeans() of clusters divides by the samples that were drawn with them", () => {
  // Clusters of 1 and 3 samples, all of them scoring 1: every mean is 1, however they are drawn.
  const [draws] = jointMeans(
    [{ of: Float64Array.of(1, 3), over: Float64Array.of(1, 3) }],
    "clusters",
  );
  expect(new Set(draws)).toEqual(new Set([1]));
});

it("jointMeans() has no draws below two units", () => {
  expect(jointMeans([{ of: Float64Array.of(1), over: Float64Array.of(1) }], "one")).toEqual([
    new Float64Array(0),
  ]);
});

it("jointMeans() draws less often where it would take too long", () => {
  const column = new Float64Array(10_000).fill(0.5);
  const over = new Float64Array(10_000).fill(1);
  const ratios = Array.from({ length: 49 }, () => ({ of: column.slice(), over }));
  expect(jointMeans(ratios, "large")[0]?.length).toBe(4_000);
});
