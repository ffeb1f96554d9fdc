import { expect, it } from "vitest";
import type { MetricComparison } from "../../contracts/boards/comparison.ts";
import { detectableDifference } from "../../stats/significance/power.ts";
import { samplePlan } from "./sample-plan.ts";

/** Pairs of runs whose differences have these standard deviations. */
const compared = (deviations: readonly number[], perUnit = 1) =>
  ({
    samples: 100 * perUnit,
    units: { kind: perUnit === 1 ? "samples" : "clusters", count: 100 },
    pairs: deviations.map((sd) => ({ detectableDifference: detectableDifference(sd, 100) })),
  }) as unknown as MetricComparison;

it("samplePlan() returns the sample sizes for the pairs with the least and the most spread", () => {
  // (2.8016 · 0.2 / 0.05)² = 125.6; with 0.1: 31.4.
  expect(samplePlan(compared([0.2, 0.1]), [0.05])).toEqual([
    { difference: 0.05, least: 32, most: 126 },
  ]);
});

it("samplePlan() counts samples, not sources", () => {
  expect(samplePlan(compared([0.2], 5), [0.05])[0]?.most).toBe(628);
});

it("samplePlan() omits a difference that would need too many samples to count", () => {
  const planned = samplePlan(compared([0.2]), [1e-13, 1e-9, 0.05]);
  expect(planned.map(({ difference }) => difference)).toEqual([0.05]);
});

it("samplePlan() is empty without a pair whose differences vary", () => {
  expect(samplePlan(compared([0]), [0.05])).toEqual([]);
  expect(samplePlan(compared([]), [0.05])).toEqual([]);
});
