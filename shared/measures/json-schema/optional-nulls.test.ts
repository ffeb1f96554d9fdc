import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../contracts/json.ts";
import { withoutOptionalNulls } from "./optional-nulls.ts";
import { readSchema } from "./read-schema.ts";

const person = { type: "object", properties: { age: {}, name: {} }, required: ["age"] };

test.each<[string, JsonObject, Json, Json]>([
  ["an optional property", person, { age: 1, name: null }, { age: 1 }],
  ["a required property", person, { age: null, name: null }, { age: null }],
  ["a property that is not declared", person, { age: 1, fax: null }, { age: 1 }],
  ["an object that is not declared", person, { age: 1, a: { b: null } }, { age: 1, a: {} }],
  ["an element", { items: person }, [null, { age: 2, name: null }], [null, { age: 2 }]],
  [
    "a part of a tuple",
    { prefixItems: [{}, person] },
    [{ age: null }, { age: null }],
    [{}, { age: null }],
  ],
  [
    "a property that a $ref requires",
    { properties: { who: { $ref: "#/$defs/p" } }, $defs: { p: person } },
    { who: { age: null, name: null } },
    { who: { age: null } },
  ],
  [
    "a property that one branch requires",
    { anyOf: [{ required: ["a"] }, { required: ["b"] }], allOf: [{ required: ["c"] }] },
    { a: null, b: null, c: null, d: null },
    { a: null, b: null, c: null },
  ],
  [
    "a pattern's property",
    { patternProperties: { "^p": person } },
    { p1: { age: null }, q: { age: null } },
    { p1: { age: null }, q: {} },
  ],
  ["the root", {}, null, null],
  ["a property named __proto__", {}, JSON.parse('{"__proto__": null, "a": 1}'), { a: 1 }],
])("withoutOptionalNulls() at %s", (_, schema, value, kept) => {
  expect(withoutOptionalNulls(value, readSchema(schema, false).place)).toEqual(kept);
});

test("withoutOptionalNulls() returns the same value if nothing is removed", () => {
  const value = { age: null, list: [null, { a: [1] }], text: "" };
  expect(withoutOptionalNulls(value, readSchema(person, false).place)).toBe(value);
});

test("withoutOptionalNulls() keeps a property named __proto__", () => {
  const kept = withoutOptionalNulls(JSON.parse('{"__proto__": 1, "a": null}'), null);
  expect(JSON.stringify(kept)).toBe('{"__proto__":1}');
});
