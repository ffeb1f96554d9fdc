import { expect, test } from "vitest";
import type { Metric } from "../../../contracts/metric.ts";
import { limitsOf, measureReadings, type Reading } from "./reading.ts";

const metric = (id: string, better: Metric["better"] = "higher"): Metric => ({
  id,
  label: id.toUpperCase(),
  unit: "ratio",
  better,
  format: "score",
  definition: "",
});
const estimate = (value: number | null) => ({ value, interval: null, n: 30, coverage: 1 });
const limits = { minimum: 0.5, target: 0.75, excellence: 0.9 };

test("limitsOf() takes thresholds from the lower ends of zones", () => {
  const steps = [
    [0.85, "excellent"],
    [0.7, "good"],
    [0.5, "fair"],
  ] as const;
  expect(limitsOf(steps)).toEqual({ minimum: 0.5, target: 0.7, excellence: 0.85 });
  expect(() => limitsOf(steps.slice(0, 2))).toThrow("fair");
});

test("measureReadings() compares or grades measured metrics in their own direction", () => {
  const readings: Reading[] = [
    { metric: "f1", limits },
    { metric: "rate", limits: { minimum: 0.1, target: 0.05, excellence: 0.02 } },
    { metric: "exact", limits: null, letters: [0.8, 0.7, 0.6, 0.5, 0.35, 0.2] },
    { metric: "none", limits },
    { metric: "unknown", limits },
  ];
  const metrics = {
    f1: estimate(0.8),
    rate: estimate(0.06),
    exact: estimate(0.61),
    none: estimate(null),
  };
  const catalogue = [metric("f1"), metric("rate", "lower"), metric("exact"), metric("none")];
  const read = measureReadings(readings, metrics, catalogue);
  expect(read.map(({ label, letter, tier }) => [label, letter, tier])).toEqual([
    ["F1", null, "target"],
    ["RATE", null, "minimum"],
    ["EXACT", "B+", null],
    ["NONE", null, null],
  ]);
});
