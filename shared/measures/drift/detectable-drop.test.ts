import { expect, it } from "vitest";
import { uniform } from "./__fixtures__/simulated-history.ts";
import { detectableDrop } from "./detectable-drop.ts";
import { driftEvidence, isDrift } from "./drift-evidence.ts";

/** Roughly normal, with a standard deviation of 0.1. */
const noisy = (random: () => number) =>
  0.1 * (Array.from({ length: 12 }, random).reduce((sum, one) => sum + one, 0) - 6);

const history = (count: number, random: () => number, samples = 72) =>
  Array.from({ length: count }, () =>
    Float64Array.from({ length: samples }, () => 0.7 + noisy(random)),
  );

it("detectableDrop() is flagged within five re-runs in about 80% of cases", () => {
  const random = uniform("a drop of that size");
  let found = 0;
  for (let i = 0; i < 60; i++) {
    const runs = history(8, random);
    const drop = detectableDrop(runs)!;
    const later = history(5, random).map((scores) => scores.map((one) => one - drop));
    const isFound = later.some(
      (_, last) => driftEvidence([...runs, ...later.slice(0, last + 1)]) >= 20,
    );
    if (isFound) found++;
  }
  expect(found / 60).toBeGreaterThan(0.65);
  expect(found / 60).toBeLessThan(0.97);
});

it("detectableDrop() allows for samples that nearly always pass and vary more after a drop", () => {
  const random = uniform("rarely wrong");
  const history = (count: number, rate: number) =>
    Array.from({ length: count }, () =>
      Float64Array.from({ length: 72 }, () => Number(random() < rate)),
    );
  let found = 0;
  for (let i = 0; i < 60; i++) {
    const runs = history(8, 0.98);
    const later = history(5, 0.98 - detectableDrop(runs)!);
    const isFound = later.some(
      (_, last) => driftEvidence([...runs, ...later.slice(0, last + 1)]) >= 20,
    );
    if (isFound) found++;
  }
  expect(found / 60).toBeGreaterThan(0.65);
});

it("detectableDrop() is smaller with more samples", () => {
  const random = uniform("sizes");
  expect(detectableDrop(history(8, random, 500))!).toBeLessThan(
    detectableDrop(history(8, random, 50))!,
  );
});

it.each([
  [72, 3],
  [20, 4],
])(
  "detectableDrop() of %i constant samples after %i runs is the drop of the fewest broken samples that are flagged",
  (samples, count) => {
    const steady = Array.from({ length: count }, () => new Float64Array(samples).fill(1));
    const drop = detectableDrop(steady)!;
    const broken = Math.round(drop * samples);
    expect(broken).toBeGreaterThan(1);
    expect(broken).toBeLessThan(10);
    const isFound = (lost: number) => {
      const later = new Float64Array(samples).fill(1).fill(0, 0, lost);
      return driftEvidence([...steady, later, later, later, later, later]) >= 20;
    };
    expect(isFound(broken)).toBe(true);
    expect(isFound(broken - 1)).toBe(false);
  },
);

it("detectableDrop() is never less than what is flagged", () => {
  const steady = Array.from({ length: 4 }, () => new Float64Array(1_000).fill(1));
  expect(isDrift(Number.POSITIVE_INFINITY, detectableDrop(steady)!)).toBe(true);
});

it("detectableDrop() counts samples of one source once", () => {
  const runs = history(8, uniform("sources"));
  const together = runs.map((scores) => Float64Array.from([...scores, ...scores]));
  const unitOf = Int32Array.from({ length: 144 }, (_, i) => i % 72);
  expect(detectableDrop(together, unitOf)).toBeCloseTo(detectableDrop(runs)!, 10);
});

it("detectableDrop() is null for fewer than three runs, and without common samples", () => {
  const [right, unknown] = [Float64Array.of(1), Float64Array.of(Number.NaN)];
  expect(detectableDrop(history(2, uniform("two")))).toBeNull();
  expect(detectableDrop([right, right, unknown])).toBeNull();
});

it("detectableDrop() is null if it would exceed the score", () => {
  const runs = [0.9, 0, 0.4, 0.1].map((score) => Float64Array.of(score, 0.9 - score, 0.2));
  expect(detectableDrop(runs)).toBeNull();
});
