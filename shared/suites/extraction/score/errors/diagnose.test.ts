import { expect, test } from "vitest";
import type { Json } from "../../../../contracts/json.ts";
import { defaultRules } from "../../__fixtures__/build.ts";
import { prepareSchema } from "../../sample.ts";
import { rootPlace } from "../fields/field-place.ts";
import { fieldTree } from "../fields/field-tree.ts";
import { expectation } from "../fields/make-field.ts";
import { matchFields } from "../fields/match-fields.ts";
import { clashOf, isPlaceholder, movedValues } from "./diagnose.ts";

const root = rootPlace(prepareSchema({}, false).place);
const placed = (value: Json) => {
  const tree = fieldTree(value);
  return tree && expectation(tree, root);
};

function movedPaths(expected: Json, predicted: Json): string[] {
  const side = placed(expected);
  const { errors } = matchFields(side, fieldTree(predicted), root, defaultRules);
  const moved = movedValues(errors, ({ clash }) => clash === null, defaultRules);
  return [...moved].map(({ field }) => `${field.category} ${field.path}`);
}

test.each<[string, Json, Json, string[]]>([
  ["a string", { a: { n: "X  y" } }, { n: "x y" }, ["missed a.n", "spurious n"]],
  ["nearly the same number", { a: { n: 1 } }, { n: 0.9999999 }, ["missed a.n", "spurious n"]],
  ["another number", { a: { n: 1 } }, { n: 0.99 }, []],
  ["a number as a string", { a: { n: 1 } }, { n: "1" }, []],
  ["another name", { a: { n: 1 } }, { m: 1 }, []],
  ["an array", { a: { n: [1, "A"] } }, { n: [1, "a"] }, ["missed a.n", "spurious n"]],
  ["an array in another order", { a: { n: [1, 2] } }, { n: [2, 1] }, []],
  ["a boolean", { a: { n: true } }, { b: { n: true } }, ["missed a.n", "spurious b.n"]],
  ["{}", { a: { n: {} } }, { n: {} }, ["missed a.n", "spurious n"]],
  [
    "one of two values",
    { a: { n: 1 }, b: { n: 2 } },
    { c: [{ n: 2 }] },
    ["missed b.n", "spurious c[0].n"],
  ],
])("movedValues() handles %s", (_, expected, predicted, paths) => {
  expect(movedPaths(expected, predicted)).toEqual(paths);
});

test("movedValues() is not quadratic for many values with the same name", () => {
  const rows = Array.from({ length: 10_000 }, (_, n) => ({ n, s: `${n}` }));
  expect(movedPaths({ a: rows }, { b: rows })).toHaveLength(40_000);
});

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
