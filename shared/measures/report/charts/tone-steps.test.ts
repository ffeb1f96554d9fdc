import { expect, test } from "vitest";
import { toneGauge } from "./tone-steps.ts";

const metric = { label: "F1", format: "score" } as const;
const steps = [
  [0.9, "excellent"],
  [0.5, "fair"],
] as const;

test("toneGauge() has zones from 0 to 1, one for each tone, poor below all steps", () => {
  const estimate = { value: 0.7, interval: [0.6, 0.8] as [number, number], n: 9, coverage: 1 };
  expect(toneGauge(metric, estimate, steps)).toEqual({
    kind: "gauge",
    title: "F1",
    format: "score",
    min: 0,
    max: 1,
    value: 0.7,
    interval: [0.6, 0.8],
    zones: [
      { from: 0, to: 0.5, tone: "poor", label: "Below minimum" },
      { from: 0.5, to: 0.9, tone: "fair", label: "Minimum" },
      { from: 0.9, to: 1, tone: "excellent", label: "Excellent" },
    ],
  });
});

test("toneGauge() without an estimate has no value", () => {
  expect(toneGauge(metric, undefined, steps)).toMatchObject({ value: null, interval: null });
});
