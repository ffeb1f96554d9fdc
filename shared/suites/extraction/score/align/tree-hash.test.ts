import { expect, test } from "vitest";
import type { Json } from "../../../../contracts/json.ts";
import { defaultRules } from "../../__fixtures__/build.ts";
import { type FieldTree, fieldTree } from "../fields/flatten.ts";
import { treeHash } from "./tree-hash.ts";

const hash = (value: Json) => treeHash(fieldTree(value) as FieldTree, defaultRules);

test.each<[Json, Json, boolean]>([
  [{ a: 1, b: "X  y" }, { b: "x y", a: 1, c: null }, true],
  [{ a: 1, b: 2 }, { a: 2, b: 1 }, false],
  [[{ a: 1 }, { a: 2 }], [{ a: 2 }, { a: 1 }], false],
  [["A", 1], ["a", 1], true],
  [["a", "b"], ["b", "a"], false],
  [{ a: {} }, { a: [] }, false],
])("treeHash() of %j and %j: the same is %s", (a, b, same) => {
  expect(hash(a) === hash(b)).toBe(same);
});
