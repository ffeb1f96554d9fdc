import { expect, test } from "vitest";
import type { Json } from "../../../contracts/json.ts";
import { exactMatch } from "./exact-match.ts";
import { fieldTree } from "./fields/field-tree.ts";

const rules = { caseSensitive: true, normalizeWhitespace: true, arrayOrder: true };

test.each<[Json, Json, boolean]>([
  [{ a: "x  y", b: null }, { a: "x y" }, true],
  [{ a: "X" }, { a: "x" }, false],
  [{ a: 1 }, { a: 1.0000001 }, true],
  [{ a: {} }, {}, false],
  [[1, 2], [2, 1], false],
  [[null], [], false],
  [{}, [], false],
  [null, {}, false],
])("exactMatch(%j, %j) is %s", (expected, predicted, equal) => {
  expect(exactMatch(fieldTree(expected), fieldTree(predicted), rules)).toBe(equal);
});

test("exactMatch() ignores case and order if the rules allow it", () => {
  const loose = { ...rules, caseSensitive: false, arrayOrder: false };
  const match = (expected: Json, predicted: Json) =>
    exactMatch(fieldTree(expected), fieldTree(predicted), loose);
  expect(match(["A", { b: [1, 2] }], [{ b: [2, 1] }, "a"])).toBe(true);
  expect(match([1, 1], [1, 2])).toBe(false);
});
