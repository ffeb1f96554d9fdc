import { expect, test } from "vitest";
import type { Json } from "../../../../contracts/json.ts";
import { defaultRules } from "../../__fixtures__/build.ts";
import { prepareSchema } from "../../sample.ts";
import { rootPlace } from "./field-place.ts";
import { fieldTree } from "./field-tree.ts";
import { expectation } from "./make-field.ts";
import { matchFields, maxListedFields } from "./match-fields.ts";

const root = rootPlace(prepareSchema({}, false).place);
const placed = (value: Json) => {
  const tree = fieldTree(value);
  return tree && expectation(tree, root);
};
const matched = (expected: Json, predicted: Json) =>
  matchFields(placed(expected), fieldTree(predicted), root, defaultRules);

test.each<[Json, Json, string[]]>([
  [{ a: 1 }, { a: 1 }, ["a exact"]],
  [{ a: 1 }, { b: 1 }, ["a missed", "b spurious"]],
  [null, null, []],
  [null, { a: 1 }, ["a spurious"]],
  ["x", "y", [" incorrect"]],
  [{ a: {} }, { a: { x: 1 } }, ["a.x spurious"]],
  [{ a: { x: 1 } }, { a: {} }, ["a.x missed"]],
  [{ a: [] }, { a: [{ x: 1 }] }, ["a[0].x spurious excess"]],
  [{ a: [{ x: 1 }] }, { a: [] }, ["a[0].x missed"]],
  [{ a: [1] }, { a: [{ x: 1 }] }, ["a missed", "a[0].x spurious"]],
  [{ a: "x" }, { a: ["x"] }, ["a missed", "a spurious"]],
  [{ a: { b: 1 } }, { a: 1 }, ["a.b missed", "a spurious"]],
  [[{ n: 1 }], [{ n: 2 }, { n: 1 }], ["[0].n exact", "[1].n spurious excess"]],
  [{ "a.b": 1, a: { b: 2 } }, { "a.b": 1 }, ['["a.b"] exact', "a.b missed"]],
])("matchFields(%j, %j) finds %j", (expected, predicted, found) => {
  const described = matched(expected, predicted).fields.map(
    ({ path, category, excess }) => `${path} ${category}${excess ? " excess" : ""}`,
  );
  expect(described).toEqual(found);
});

test("matchFields() counts every field and lists only the first ones", () => {
  const many = Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`f${i}`, i]));
  const { tally, fields } = matched(many, {});
  expect(tally.missed).toBe(60_000);
  expect(fields).toHaveLength(maxListedFields);
});

test("matchFields() treats names such as __proto__ and toString as ordinary fields", () => {
  const value = JSON.parse('{"__proto__": 1, "toString": 2}') as Json;
  expect(matched(value, value).tally).toMatchObject({ identical: 2, spurious: 0 });
  expect(matched({}, value).tally.spurious).toBe(2);
});
