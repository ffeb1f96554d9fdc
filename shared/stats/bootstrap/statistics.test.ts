import { expect, test } from "vitest";
import { combineStatistics, ratiosOf } from "./statistics.ts";

test("combineStatistics() writes figures in order from the given index", () => {
  const into = new Float64Array(5);
  const sums = Float64Array.of(1, 4);
  combineStatistics([(its) => its[1]!, () => null]).write(sums, into, 1);
  ratiosOf([[0, 1]]).write(sums, into, 4);
  expect([...into]).toEqual([0, 4, Number.NaN, 0, 0.25]);
});

test("ratiosOf() gives NaN for a zero denominator", () => {
  const into = new Float64Array(2);
  const pairs = [
    [0, 1],
    [2, 1],
  ] as const;
  ratiosOf(pairs).write(Float64Array.of(0, 0, 3), into, 0);
  expect([...into]).toEqual([Number.NaN, Number.NaN]);
});
