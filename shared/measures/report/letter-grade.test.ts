import { expect, test } from "vitest";
import { letterGrade } from "./letter-grade.ts";
import { latencyGrades, shareGrades } from "./share-grades.ts";

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
