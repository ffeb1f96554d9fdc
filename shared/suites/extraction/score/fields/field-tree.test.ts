import { expect, test } from "vitest";
import type { Json } from "../../../../contracts/json.ts";
import { fieldTree, type ListNode, type ObjectNode } from "./field-tree.ts";

test.each<[Json, number | undefined]>([
  [null, undefined],
  ["a", 1],
  [{}, 1],
  [[], 1],
  [{ a: null }, 1],
  [[1, null], 1],
  [[null, {}], 1],
  [[[1, 2], [3]], 2],
  [[{ a: 1, b: 2 }, 5, null], 3],
  [{ a: { b: { c: null, d: 1 } }, e: [] }, 2],
])("fieldTree(%j) has %s fields", (value, fields) => {
  expect(fieldTree(value)?.fields).toBe(fields);
});

test.each<[Json, Json, boolean]>([
  [
    { a: 1, b: ["x", null], c: [{ d: {} }, null] },
    { c: [{ d: {} }, null], b: ["x", null], a: 1 },
    true,
  ],
  [{ a: 1, b: null }, { a: 1, b: null }, true],
  [{ a: 1, b: null }, { a: 1 }, false],
  [{ a: 1 }, { a: 1, b: null }, false],
  [{ a: 1, b: null }, { a: 1, c: null }, false],
  [{ a: null }, { a: null }, true],
  [{ a: null }, {}, false],
  [{}, [], false],
  [[], [], true],
  [[], [{}], false],
  [[{}], [{}, {}], false],
  [["a"], ["b"], false],
  ["1", 1, false],
  [null, null, true],
  [null, { a: null }, false],
])("fieldTree() with the tree of %j returns the same tree for %j: %s", (like, value, same) => {
  const tree = fieldTree(like);
  expect(fieldTree(value, tree) === tree).toBe(same);
  expect(fieldTree(value, tree)).toEqual(fieldTree(value));
});

test("fieldTree() reuses equal parts of the given tree", () => {
  const like = fieldTree({ a: { b: 1 }, c: [{ d: 1 }, { d: 2 }] }) as ObjectNode;
  const tree = fieldTree({ a: { b: 1 }, c: [{ d: 1 }, { d: 3 }] }, like) as ObjectNode;
  const [c, d] = [like, tree].map(({ children }) => children.get("c") as ListNode);
  expect(tree.children.get("a")).toBe(like.children.get("a"));
  expect(d!.elements[0]).toBe(c!.elements[0]);
  expect(d!.elements[1]).not.toBe(c!.elements[1]);
});
