import { expect, test } from "vitest";
import { type Expectation, expectation } from "./expectation.ts";
import { rootPlace } from "./field-place.ts";
import { fieldTree } from "./flatten.ts";
import { prepareSchema } from "./prepare-schema.ts";
import { schemaPlace } from "./schema-place.ts";

const root = rootPlace(prepareSchema({}, false).types, schemaPlace({}));

function paths(part: Expectation | null): string[] {
  if (part === null) return [];
  if (part.kind === "field") return [part.place.path];
  return [...(part.kind === "list" ? part.elements : part.children.values())].flatMap(paths);
}

test("expectation() places every field of the expected output, nulls dropped", () => {
  const value = { a: null, b: [{ c: 1 }, null, [{ d: {} }]], e: [1, null], "f.g": "x" };
  expect(paths(expectation(fieldTree(value), root))).toEqual([
    ...["b[0].c", "b[2][0].d", "e", '["f.g"]'],
  ]);
  expect(paths(expectation(fieldTree("x"), root))).toEqual([""]);
  expect(expectation(null, root)).toBeNull();
});
