import { expect, test } from "vitest";
import type { Json } from "../../../../contracts/json.ts";
import { prepareSchema } from "../../sample.ts";
import { rootPlace } from "./field-place.ts";
import { fieldTree } from "./field-tree.ts";
import { type Expectation, expectation } from "./make-field.ts";

const root = rootPlace(prepareSchema({}, false).place);
const placed = (value: Json) => {
  const tree = fieldTree(value);
  return tree && expectation(tree, root);
};

function paths(part: Expectation | null): string[] {
  if (part === null) return [];
  if (part.kind === "field") return [part.place.path];
  return [...(part.kind === "list" ? part.elements : part.children.values())].flatMap(paths);
}

test("expectation() assigns a place to every field of the expected output without nulls", () => {
  const value = { a: null, b: [{ c: 1 }, null, [{ d: {} }]], e: [1, null], "f.g": "x" };
  expect(paths(placed(value))).toEqual(["b[0].c", "b[2][0].d", "e", '["f.g"]']);
  expect(paths(placed("x"))).toEqual([""]);
});
