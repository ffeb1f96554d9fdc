import { expect, test } from "vitest";
import type { Json } from "../../../../contracts/json.ts";
import { aList, defaultRules } from "../../__fixtures__/build.ts";
import { type FieldTree, fieldTree } from "../fields/field-tree.ts";
import { pairSame, treeHash, unpaired } from "./tree-hash.ts";

const hash = (value: Json) => treeHash(fieldTree(value) as FieldTree, defaultRules);

test.each<[Json, Json, boolean]>([
  [{ a: 1, b: "X  y" }, { b: "x y", a: 1, c: null }, true],
  [{ a: 1, b: 2 }, { a: 2, b: 1 }, false],
  [[{ a: 1 }, { a: 2 }], [{ a: 2 }, { a: 1 }], false],
  [["A", 1], ["a", 1], true],
  [["a", "b"], ["b", "a"], false],
  [{ a: {} }, { a: [] }, false],
])("treeHash() of %j and of %j are equal: %s", (a, b, same) => {
  expect(hash(a) === hash(b)).toBe(same);
});

test("pairSame() pairs elements that are equal after normalisation, in order", () => {
  const expected = aList([{ a: 1, b: "X y" }, { a: 3 }, null, { a: 3 }, { a: 3 }]);
  const predicted = aList([{ a: 3 }, { b: "x  Y", a: 1 }, { a: 4 }, null, { a: 3 }]);
  const { elements } = expected;
  expect([...pairSame(elements, predicted.elements, defaultRules)]).toEqual([1, 0, -1, 4, -1]);
});

test("unpaired() lists the unpaired elements of both sides", () => {
  const { rows, columns } = unpaired(Int32Array.of(1, -1, 0, -1), 3);
  expect([[...rows], [...columns]]).toEqual([[1, 3], [2]]);
});
