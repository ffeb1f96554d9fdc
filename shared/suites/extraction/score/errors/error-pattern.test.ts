import { expect, test } from "vitest";
import type { Json } from "../../../../contracts/json.ts";
import { fieldTree } from "../fields/flatten.ts";
import { clashOf, isPlaceholder } from "./error-pattern.ts";

test.each<[Json, boolean]>([
  ["N/A", true],
  [" none ", true],
  ["Unknown", true],
  ["null", true],
  ["-", true],
  ["", true],
  ["n/a yet", false],
  ["--", false],
  [0, false],
  [[], false],
  [["N/A"], false],
])("isPlaceholder(%j) is %s", (value, is) => {
  expect(isPlaceholder(value)).toBe(is);
});

test.each<[Json, Json, string]>([
  [{ a: 1 }, [{ a: 1 }], "array_vs_object"],
  [[{ a: 1 }], { a: 1 }, "array_vs_object"],
  [["x"], { a: 1 }, "array_vs_object"],
  [{}, ["x"], "array_vs_object"],
  [{ a: 1 }, "x", "wrong_nesting"],
  ["x", ["x"], "wrong_nesting"],
  [["x"], [{ a: 1 }], "wrong_nesting"],
  [{ a: 1 }, "n/a", "type_coercion_failed"],
  ["n/a", { a: 1 }, "wrong_nesting"],
])("clashOf(%j, %j) is %s", (expected, predicted, pattern) => {
  expect(clashOf(fieldTree(expected)!, fieldTree(predicted)!).pattern).toBe(pattern);
});
