import { expect, test } from "vitest";
import { combineStatistics, eachOf, ratiosOf } from "./statistics.ts";

test("combineStatistics() writes figures in order from the given index", () => {
  const into = new Float64Array(5);
  const sums = Float64Array.of(1, 4);
  combineStatistics([(all) => all[1]!, () => null]).write(sums, into, 1);
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

test("combineStatistics() computes a complete sequence from eachOf() together", () => {
  let calls = 0;
  const pair = eachOf({
    count: 2,
    write(sums, into, from) {
      calls++;
      into[from] = sums[0]!;
      into[from + 1] = Number.NaN;
    },
  });
  const [first, second] = pair as [(typeof pair)[0], (typeof pair)[0]];
  const figuresOf = (list: typeof pair) => {
    const into = new Float64Array(list.length + 1);
    calls = 0;
    combineStatistics(list).write(Float64Array.of(7), into, 1);
    return [...into.subarray(1), calls];
  };
  const one = () => 1;
  expect(figuresOf([one, first, second, one])).toEqual([1, 7, Number.NaN, 1, 1]);
  expect(figuresOf([second, first, one])).toEqual([Number.NaN, 7, 1, 2]);
  expect(figuresOf([first])).toEqual([7, 1]);
  expect(second(Float64Array.of(7))).toBeNull();
});
