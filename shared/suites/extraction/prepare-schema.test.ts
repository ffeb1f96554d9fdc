import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../contracts/json.ts";
import { prepareSchema, readSchema } from "./prepare-schema.ts";

test.each<[JsonObject | boolean, Json, boolean]>([
  [true, 1, true],
  [false, 1, false],
  [{ type: "integer" }, 5.0, true],
  [{ $ref: "#/$defs/a", $defs: { a: { type: "string" } } }, 1, false],
  [{ $ref: "#a", $defs: { x: { $anchor: "a", type: "string" } } }, 1, false],
  [{ $ref: "https://elsewhere.example/schema" }, 1, false],
  [{ $ref: "https://json-schema.org/draft/2020-12/schema" }, { type: "string" }, true],
  [{ $ref: "https://json-schema.org/draft/2020-12/schema" }, { type: "text" }, false],
  [{ format: "email", type: "string" }, "x", true],
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  [{ if: { type: "string" }, then: { minLength: 2 }, else: false }, "a", false],
  [{ uniqueItems: true }, [1, 1], false],
  [{ multipleOf: 0.01 }, 19.99, true],
])("prepareSchema(%j) judges %j valid: %s", (schema, value, valid) => {
  expect(prepareSchema(schema, false).errors(value).length === 0).toBe(valid);
});

test("prepareSchema() asserts formats when asked", () => {
  expect(prepareSchema({ format: "email" }, true).errors("x")).toHaveLength(1);
});

test("prepareSchema() names at most five reasons, the innermost first", () => {
  const schema = { properties: { a: { properties: { b: { type: "string" } } } } };
  const errors = prepareSchema(schema, false).errors({ a: { b: 1 } });
  expect(errors[0]).toMatch(/^#\/a\/b type:/);
  expect(errors.length).toBeLessThanOrEqual(5);
});

test("prepareSchema() prepares a schema once", () => {
  const schema = { type: "string" };
  expect(prepareSchema(schema, false)).toBe(prepareSchema(schema, false));
  expect(prepareSchema(schema, false)).not.toBe(prepareSchema(schema, true));
});

test("prepareSchema() ignores what stands beside a $ref in draft-07 alone", () => {
  const schema = { $ref: "#/definitions/a", type: "string", definitions: { a: { minimum: 1 } } };
  const draft7 = { ...schema, $schema: "http://json-schema.org/draft-07/schema#" };
  expect(prepareSchema(draft7, false).errors(5)).toEqual([]);
  expect(prepareSchema(schema, false).errors(5)).not.toEqual([]);
});

test("prepareSchema() survives values and schemas without end", () => {
  const deep = JSON.parse("[".repeat(400) + "]".repeat(400)) as Json;
  const recursive = { type: "array", items: { $ref: "#" } };
  expect(prepareSchema(recursive, false).errors(deep)).toEqual([]);
  expect(prepareSchema({ $ref: "#" }, false).errors(1)).toHaveLength(1);
  expect(prepareSchema({ type: "object" }, false).errors({ "\ud800": 1 })).toEqual([]);
});

test("readSchema() follows a $ref to a known schema of its own draft, and to no other", () => {
  const tuple = { $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "string" }] };
  const known = new Map([["urn:example:tuple", tuple]]);
  const schema = { $ref: "urn:example:tuple" };
  expect(readSchema(schema, false, known).errors([1])).toHaveLength(1);
  expect(readSchema(schema, false).flaw).toMatch(/another document/);
});
