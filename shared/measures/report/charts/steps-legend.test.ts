import { expect, test } from "vitest";
import { stepsLegend } from "./steps-legend.ts";

test("stepsLegend() names each grade with where it begins, and what lies below", () => {
  const steps = [
    [0.9, "excellent"],
    [0.5, "fair"],
  ] as const;
  expect(stepsLegend(steps, "percent")).toEqual([
    { tone: "excellent", label: "Excellent from 90%" },
    { tone: "fair", label: "Fair from 50%" },
    { tone: "poor", label: "Poor below" },
  ]);
});
