import { expect, test } from "vitest";
import { gradeOf } from "./grades.ts";

test.each([
  ["validity", 0.98, "A+"],
  ["validity", 0.9799, "A"],
  ["validity", 0.1, "F"],
  ["partialF1", 0.5, "D"],
  ["exactMatch", 0.35, "C"],
  ["hallucinationRate", 0.05, "A+"],
  ["hallucinationRate", 0.31, "F"],
  ["latencyP95", 8000, "C"],
  ["eqs", 1, undefined],
  ["validity", null, undefined],
])("gradeOf(%s, %s) is %s", (metric, value, grade) => {
  expect(gradeOf(metric, value)).toBe(grade);
});
