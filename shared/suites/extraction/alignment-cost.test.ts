import { expect, test } from "vitest";
import { aList } from "./__fixtures__/build.ts";
import { charactersOf, isAffordable } from "./alignment-cost.ts";
import { fieldTree } from "./flatten.ts";

const rows = (count: number) => aList(Array.from({ length: count }, (_, i) => ({ i }))).elements;

test.each([
  [1000, 1000, true],
  [3000, 3000, true],
  [4000, 3000, false],
  [2, 4_000_000, true],
])("isAffordable() of %d and %d elements is %s", (n, m, affordable) => {
  const predicted = m > 1e6 ? new Array(m).fill(null) : rows(m);
  expect(isAffordable(rows(n), predicted)).toBe(affordable);
});

test("charactersOf() counts those of strings on every level", () => {
  expect(charactersOf(fieldTree({ a: "abc", b: [{ c: "de" }, null], d: 5, e: ["no"] }))).toBe(5);
  expect(charactersOf(null)).toBe(0);
});
