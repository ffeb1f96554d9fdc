import { expect, test } from "vitest";
import type { Json } from "../../../../contracts/json.ts";
import { type FieldTree, fieldTree } from "../fields/field-tree.ts";
import { charactersOf, comparisonsOf, isAffordable } from "./alignment-cost.ts";

const tree = (value: Json) => fieldTree(value) as FieldTree;
const rows = (count: number): Json => Array.from({ length: count }, (_, i) => ({ i, text: "x" }));
const nested = (depth: number): Json =>
  depth === 0 ? { v: depth } : [nested(depth - 1), nested(depth - 1)];

const [list, leaf] = [24, 1];

test.each<[string, Json, Json, number]>([
  ["leaves", { a: 1, b: 2 }, { a: 1, c: 2 }, leaf],
  ["an array", rows(10), rows(20), list + 200 + 2 * 200],
  ["two arrays", { a: rows(2), b: rows(3) }, { b: rows(3), a: rows(2) }, 2 * list + 13 + 26],
  ["arrays in arrays", nested(2), nested(2), 5 * list + 4 + 16 + 16],
  ["an array on one side only", { a: rows(3) }, { a: "x" }, 0],
])("comparisonsOf() counts the comparisons of %s", (_, expected, predicted, comparisons) => {
  expect(comparisonsOf(tree(expected), tree(predicted))).toBe(comparisons);
});

test("comparisonsOf() grows exponentially with depth", () => {
  expect(comparisonsOf(tree(nested(13)), tree(nested(13)))).toBeGreaterThan(4 ** 13);
});

test.each<[string, Json, Json, boolean]>([
  ["a few objects", rows(10), rows(20), true],
  ["thousands of objects", rows(4000), rows(4000), false],
  ["thousands of objects on one side only", rows(4000), { a: 1 }, true],
  ["shallow arrays in arrays", nested(5), nested(5), true],
  ["deep arrays in arrays", nested(13), nested(13), false],
])("isAffordable() on %s", (_, expected, predicted, affordable) => {
  expect(isAffordable(tree(expected), tree(predicted))).toBe(affordable);
});

test("charactersOf() counts the characters of strings at every depth", () => {
  expect(charactersOf(fieldTree({ a: "abc", b: [{ c: "de" }, null], d: 5, e: ["no"] }))).toBe(5);
  expect(charactersOf(null)).toBe(0);
});
