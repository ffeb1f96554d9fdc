import { expect, test } from "vitest";
import { addCounts } from "./add-counts.ts";

test("addCounts() adds at every depth, and takes over what is not there", () => {
  const counts = { a: 1, b: [1, 2], c: { 7: 1 } };
  const other = { b: [3, 4], c: { 5: 2, 7: 1 }, d: { e: [5] } };
  addCounts(counts, other);
  expect(counts).toEqual({ a: 1, b: [4, 6], c: { 5: 2, 7: 2 }, d: { e: [5] } });
  addCounts(counts, other);
  expect(other.d.e).toEqual([5]);
});

test("addCounts() keeps whole-number names in order", () => {
  const counts = { 9: 1 };
  addCounts(counts, { 10: 1, 2: 1 });
  expect(JSON.stringify(counts)).toBe('{"2":1,"9":1,"10":1}');
});
