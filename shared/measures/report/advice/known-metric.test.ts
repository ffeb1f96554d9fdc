import { expect, test } from "vitest";
import type { Metric } from "../../../contracts/metric.ts";
import { isAbove, isBelow, type KnownMetric, knownMetric, valueText } from "./known-metric.ts";

const catalogue: Metric[] = [
  {
    id: "rate",
    label: "Rate",
    unit: "ratio",
    better: "lower",
    format: "percent",
    definition: "",
  },
];
const known = (low: number, high: number): KnownMetric => ({
  cell: "x",
  format: "score",
  value: (low + high) / 2,
  interval: [low, high],
  n: 9,
});

test("knownMetric() takes label and format from the catalogue", () => {
  const rate = { value: 0.5, interval: [0.4, 0.6] as [number, number], n: 9, coverage: 1 };
  const metric = knownMetric("rate", { rate }, catalogue);
  expect(metric).toEqual({
    cell: "Rate",
    format: "percent",
    value: 0.5,
    interval: [0.4, 0.6],
    n: 9,
  });
  expect(valueText(metric!)).toBe("50.0%");
});

test("knownMetric() is null without a value or an interval", () => {
  expect(knownMetric("rate", {}, catalogue)).toBeNull();
  const single = { value: 0.5, interval: null, n: 1, coverage: 1 };
  expect(knownMetric("rate", { rate: single }, catalogue)).toBeNull();
});

test.each([
  [known(0.1, 0.2), 0.3, true],
  [known(0.1, 0.3), 0.3, false],
  [known(0.1, 0.2), known(0.25, 0.4), true],
  [known(0.1, 0.2), known(0.2, 0.4), false],
  [null, 0.3, false],
  [known(0.1, 0.2), null, false],
] as const)("isBelow(%j, %j) is %s", (metric, limit, below) => {
  expect(isBelow(metric, limit)).toBe(below);
});

test("isAbove() needs the whole interval above the limit", () => {
  expect([isAbove(known(0.2, 0.3), 0.1), isAbove(known(0.1, 0.3), 0.1), isAbove(null, 0)]).toEqual([
    true,
    false,
    false,
  ]);
});
