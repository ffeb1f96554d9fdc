import { expect, test } from "vitest";
import type { Metric } from "../../../contracts/metric.ts";
import { metricRadar } from "./metric-radar.ts";

const catalogue: Metric[] = [
  {
    id: "f1",
    label: "F1",
    unit: "ratio",
    better: "higher",
    format: "score",
    definition: "",
  },
];

test("metricRadar() puts shares and levels on the same scale", () => {
  const estimate = (value: number, reach: number) => ({
    value,
    n: 9,
    coverage: 1,
    interval: [value - reach, value + reach] as [number, number],
  });
  const metrics = { f1: estimate(0.5, 0.25), care: estimate(3, 1) };
  const axes = [{ id: "f1" }, { id: "care", scale: "level" as const }, { id: "absent" }];
  expect(metricRadar("At a glance", axes, metrics, catalogue)).toEqual({
    kind: "radar",
    title: "At a glance",
    axes: [
      { label: "F1", value: 0.5, interval: [0.25, 0.75] },
      { label: "care", value: 0.5, interval: [0.25, 0.75] },
      { label: "absent", value: null, interval: null },
    ],
  });
});
