import { expect, test } from "vitest";
import { letterGrade, lowestTier, type Tier, tierOf } from "./tier.ts";

const share = { better: "higher", minimum: 0.5, target: 0.75, excellence: 0.9 } as const;
const time = { better: "lower", minimum: 5000, target: 2000, excellence: 1000 } as const;

test.each<[typeof share | typeof time, number | null, Tier | null]>([
  [share, 0.9, "excellence"],
  [share, 0.8999, "target"],
  [share, 0.5, "minimum"],
  [share, 0.4999, "fails"],
  [time, 1000, "excellence"],
  [time, 5000, "minimum"],
  [time, 5001, "fails"],
  [share, null, null],
  // 15 × 0.05, as sums have it.
  [share, 0.7499999999999999, "target"],
])("tierOf(%o, %s) is %s", (limits, value, tier) => {
  expect(tierOf(limits, value)).toBe(tier);
});

test("lowestTier() ignores unmeasured values", () => {
  expect(lowestTier(["excellence", null, "target"])).toBe("target");
  expect(lowestTier([null])).toBeNull();
});

const shareGrades = [0.9, 0.8, 0.75, 0.7, 0.6, 0.5] as const;
const latencyGrades = [1000, 2000, 3000, 5000, 8000, 15_000] as const;

test.each([
  ["higher", shareGrades, 0.9, "A+"],
  ["higher", shareGrades, 0.7499, "B"],
  ["higher", shareGrades, 0.4999, "F"],
  ["lower", latencyGrades, 1000, "A+"],
  ["lower", latencyGrades, 3001, "B"],
  ["lower", latencyGrades, 15_001, "F"],
  ["lower", latencyGrades, 1000 + 1e-10, "A+"],
] as const)(
  "letterGrade() where %s is better, by %o, of %d is %s",
  (better, limits, value, grade) => {
    expect(letterGrade({ better, limits }, value)).toBe(grade);
  },
);
