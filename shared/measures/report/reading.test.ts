import { expect, test } from "vitest";
import type { Metric } from "../../contracts/metric.ts";
import { limitsOf, measureReadings, type Reading } from "./reading.ts";
import { shareGrades } from "./share-grades.ts";

const metric = (id: string, better: Metric["better"] = "higher"): Metric => ({
  ...{ id, label: id.toUpperCase(), unit: "ratio", better, format: "score", definition: "" },
});
const estimate = (value: number | null) => ({ value, interval: null, n: 30, coverage: 1 });
const limits = { minimum: 0.5, target: 0.75, excellence: 0.9 };

test("limitsOf() takes thresholds from where zones begin", () => {
  const steps = [
    [0.85, "excellent"],
    [0.7, "good"],
    [0.5, "fair"],
  ] as const;
  expect(limitsOf(steps)).toEqual({ minimum: 0.5, target: 0.7, excellence: 0.85 });
  expect(() => limitsOf(steps.slice(0, 2))).toThrow("fair");
});

test("measureReadings() grades and holds what was measured, by the metric's own direction", () => {
  const readings: Reading[] = [
    { metric: "f1", limits, grades: shareGrades },
    { metric: "rate", limits: { minimum: 0.1, target: 0.05, excellence: 0.02 }, grades: null },
    {
      metric: "band",
      limits: null,
      grades: [
        { label: "Low", from: 0 },
        { label: "High", from: 0.6 },
      ],
    },
    { metric: "none", limits, grades: shareGrades },
    { metric: "unknown", limits, grades: null },
  ];
  const metrics = {
    ...{ f1: estimate(0.8), rate: estimate(0.06), band: estimate(0.61), none: estimate(null) },
  };
  const catalogue = [metric("f1"), metric("rate", "lower"), metric("band"), metric("none")];
  const read = measureReadings(readings, metrics, catalogue);
  expect(read.map(({ label, grade, tier }) => [label, grade, tier])).toEqual([
    ["F1", "A", "target"],
    ["RATE", null, "minimum"],
    ["BAND", "High", null],
    ["NONE", null, null],
  ]);
});
