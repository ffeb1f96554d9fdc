import { expect, it } from "vitest";
import { detectableDifference, samplesToSeparate, timesForCorrection } from "./power.ts";

it("detectableDifference() is 2.8016 standard errors", () => {
  expect(detectableDifference(0.2, 100)).toBeCloseTo(0.05603170436, 9);
});

it("samplesToSeparate() is the number at which the difference becomes detectable", () => {
  const n = samplesToSeparate(0.2, -0.05) ?? 0;
  expect(n).toBe(126);
  expect(detectableDifference(0.2, n)).toBeLessThanOrEqual(0.05);
  expect(detectableDifference(0.2, n - 1)).toBeGreaterThan(0.05);
});

it.each([
  [1, 1],
  [2, 1.211],
  [6, 1.5426],
  [190, 2.569],
])("timesForCorrection(%d) is %d", (tests, times) => {
  expect(timesForCorrection(tests)).toBeCloseTo(times, 2);
});

it("detectableDifference() and samplesToSeparate() are null without a spread or a difference", () => {
  expect(detectableDifference(null, 100)).toBeNull();
  expect(detectableDifference(0.1, 1)).toBeNull();
  expect(samplesToSeparate(0.1, 0)).toBeNull();
  expect(samplesToSeparate(null, 0.1)).toBeNull();
  expect(detectableDifference(0, 100)).toBeNull();
  expect(samplesToSeparate(0, 0.1)).toBeNull();
});
