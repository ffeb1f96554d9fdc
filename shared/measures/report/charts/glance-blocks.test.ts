import { expect, test } from "vitest";
import type { MeasuredReading } from "../figures/reading.ts";
import { glanceTable } from "./glance-blocks.ts";

const f1: MeasuredReading = {
  metric: "f1",
  label: "F1",
  format: "score",
  better: "higher",
  letter: null,
  value: 0.76,
  interval: [0.7, 0.82],
  n: 40,
  tier: "target",
  limits: { better: "higher", minimum: 0.5, target: 0.75, excellence: 0.9 },
  scale: { better: "higher", minimum: 0.5, target: 0.75, excellence: 0.9 },
};
const p95: MeasuredReading = {
  metric: "p95",
  label: "Latency p95",
  format: "ms",
  better: "lower",
  letter: null,
  value: 1500,
  interval: [900, 6000],
  n: 40,
  tier: "target",
  limits: { better: "lower", minimum: 5000, target: 2000, excellence: 1000 },
  scale: { better: "lower", minimum: 5000, target: 2000, excellence: 1000 },
};
/** A measure with letters but no thresholds. */
const bare: MeasuredReading = {
  ...f1,
  metric: "exactMatch",
  label: "Exact match",
  limits: null,
  tier: null,
  letter: "B+",
};

test("glanceTable() shows value, interval and grade, with the grades at the interval's ends", () => {
  const table = glanceTable([f1, p95, bare], { isOwn: false });
  expect(table.rows).toEqual([
    {
      measure: "F1",
      value: "0.760",
      interval: "0.700–0.820",
      n: 40,
      metric: "f1",
      letter: null,
      grade: "Good, could be Minimum",
      minimum: "0.500",
      target: "0.750",
      excellence: "0.900",
    },
    expect.objectContaining({
      value: "1,500\u202fms",
      grade: "Good, could be Below minimum or Excellent",
    }),
    expect.objectContaining({
      measure: "Exact match",
      grade: "Good, could be Minimum",
      letter: "B+",
      minimum: "0.500",
    }),
  ]);
});

test("glanceTable() names one level if both ends of the interval reach it", () => {
  const sure = { ...f1, interval: [0.76, 0.8] as const };
  const far = { ...f1, interval: [0.4, 0.7] as const };
  const table = glanceTable([sure, far], { isOwn: false });
  expect(table.rows.map(({ grade }) => grade)).toEqual([
    "Good",
    "Good, could be Below minimum or Minimum",
  ]);
});

test("glanceTable() shows intervals of few samples, and says that their grades are uncertain", () => {
  const table = glanceTable([{ ...f1, n: 19 }], { isOwn: false });
  const grade = "Good (too few samples to be sure)";
  expect(table.rows[0]).toMatchObject({ interval: "0.700–0.820", grade });
  expect(table.below).toContain("On fewer than 20 samples");
  expect(glanceTable([{ ...f1, n: 20 }], { isOwn: false }).below).not.toContain("On fewer");
});

test("glanceTable() says who set the thresholds, and which measures have none", () => {
  const own = glanceTable([f1, bare], { isOwn: true });
  expect(own.below).toContain("a reading aid of this project, not a standard");
  expect(own.below).toContain("no thresholds for Exact match: the limits shown do not affect");
  const specified = glanceTable([f1], { isOwn: false });
  expect(specified.below).not.toMatch(/reading aid|no thresholds/);
});
