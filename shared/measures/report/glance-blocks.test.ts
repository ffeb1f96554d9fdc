import { expect, test } from "vitest";
import { glanceBlocks } from "./glance-blocks.ts";
import type { MeasuredReading } from "./reading.ts";
import { latencyGrades, shareGrades } from "./share-grades.ts";

const f1: MeasuredReading = {
  ...{ metric: "f1", label: "F1", format: "score", better: "higher", grades: shareGrades },
  ...{ value: 0.76, interval: [0.7, 0.82], n: 40, grade: "B+", tier: "target" },
  limits: { better: "higher", minimum: 0.5, target: 0.75, excellence: 0.9 },
};
const p95: MeasuredReading = {
  ...{ metric: "p95", label: "Latency p95", format: "ms", better: "lower", grades: latencyGrades },
  ...{ value: 1500, interval: [900, 6000], n: 40, grade: "A", tier: "target" },
  limits: { better: "lower", minimum: 5000, target: 2000, excellence: 1000 },
};
const bare: MeasuredReading = {
  ...{ ...f1, label: "Exact match", limits: null, tier: null },
};

test("glanceBlocks() sets value, grade and threshold in one row, with what the interval would meet", () => {
  const [table] = glanceBlocks([f1, p95, bare], { isOwn: false });
  expect(table.rows).toEqual([
    {
      ...{ measure: "F1", value: "0.760", interval: "0.700–0.820", grade: "B+", n: 40 },
      ...{ tier: "target (down to minimum)", minimum: "0.500", target: "0.750" },
      excellence: "0.900",
    },
    expect.objectContaining({ value: "1,500\u202fms", tier: "target (none to excellence)" }),
    expect.objectContaining({ measure: "Exact match", grade: "B+", tier: null, minimum: null }),
  ]);
});

test("glanceBlocks() names one threshold alone where both ends of the interval meet it", () => {
  const sure = { ...f1, interval: [0.76, 0.8] as const };
  const far = { ...f1, interval: [0.4, 0.7] as const };
  const [table] = glanceBlocks([sure, far], { isOwn: false });
  expect(table.rows.map(({ tier }) => tier)).toEqual(["target", "target (none to minimum)"]);
});

test("glanceBlocks() says which grade each threshold has, and whose the limits are", () => {
  const rows = [f1, p95, { ...f1, label: "Validity", limits: { ...f1.limits!, excellence: 0.95 } }];
  const [table, grades] = glanceBlocks([...rows, bare], { isOwn: true });
  expect(table.below).toContain("a reading aid of this project, and no standard");
  expect(glanceBlocks(rows, { isOwn: false })[0].below).not.toContain("reading aid");
  expect(grades.rows).toEqual([
    { measure: "F1", minimum: "D", target: "B+", excellence: "A+" },
    { measure: "Latency p95", minimum: "B", target: "A", excellence: "A+" },
    { measure: "Validity", minimum: "D", target: "B+", excellence: "upper part of A+" },
  ]);
});
