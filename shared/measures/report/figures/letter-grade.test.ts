import { expect, test } from "vitest";
import { letterGrade } from "./letter-grade.ts";

const shareGrades = [0.9, 0.8, 0.75, 0.7, 0.6, 0.5] as const;
const latencyGrades = [1000, 2000, 3000, 5000, 8000, 15_000] as const;

test.each([
  ["higher", shareGrades, 0.9, "A+"],
  ["higher", shareGrades, 0.7499, "B"],
  ["higher", shareGrades, 0.4999, "F"],
  ["lower", latencyGrades, 1000, "A+"],
  ["lower", latencyGrades, 3001, "B"],
  ["lower", latencyGrades, 15_001, "F"],
] as const)(
  "letterGrade() where %s is better, by %o, of %d is %s",
  (better, limits, value, grade) => {
    expect(letterGrade({ better, limits }, value)).toBe(grade);
  },
);
