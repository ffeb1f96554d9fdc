import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../contracts/json.ts";
import { inMaze, maze } from "./__fixtures__/maze.ts";
import { reasonsOf } from "./__fixtures__/reasons-of.ts";
import { readSchema } from "./read-schema.ts";

test.each<[JsonObject | boolean, Json, boolean]>([
  [true, 1, true],
  [false, 1, false],
  [{ type: "integer" }, 5.0, true],
  [{ $ref: "#/$defs/a", $defs: { a: { type: "string" } } }, 1, false],
  [{ $ref: "#a", $defs: { x: { $anchor: "a", type: "string" } } }, 1, false],
  [{ $ref: "https://json-schema.org/draft/2020-12/schema" }, { type: "string" }, true],
  [{ $ref: "https://json-schema.org/draft/2020-12/schema" }, { type: "text" }, false],
  [{ $ref: "https://json-schema.org/draft/2020-12/schema" }, { format: 5 }, false],
  [{ format: "email", type: "string" }, "x", true],
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  [{ if: { type: "string" }, then: { minLength: 2 }, else: false }, "a", false],
  [{ uniqueItems: true }, [1, 1], false],
  [{ multipleOf: 0.01 }, 19.99, true],
])("readSchema(%j) validates %j: %s", (schema, value, valid) => {
  expect(reasonsOf(readSchema(schema, false), value).length === 0).toBe(valid);
});

test("readSchema() asserts formats only if requested", () => {
  expect(reasonsOf(readSchema({ format: "email" }, true), "x")).toHaveLength(1);
});

test("validate() returns at most five reasons, the innermost first", () => {
  const schema = { properties: { a: { properties: { b: { type: "string" } } } } };
  const errors = reasonsOf(readSchema(schema, false), { a: { b: 1 } });
  expect(errors[0]).toMatch(/^#\/a\/b type:/);
  expect(errors.length).toBeLessThanOrEqual(5);
});

test("readSchema() ignores siblings of a $ref only in draft-07", () => {
  const schema = { $ref: "#/definitions/a", type: "string", definitions: { a: { minimum: 1 } } };
  const draft7 = { ...schema, $schema: "http://json-schema.org/draft-07/schema#" };
  expect(reasonsOf(readSchema(draft7, false), 5)).toEqual([]);
  expect(reasonsOf(readSchema(schema, false), 5)).not.toEqual([]);
});

test("readSchema() handles very deep values and circular schemas", () => {
  const deep = JSON.parse("[".repeat(400) + "]".repeat(400)) as Json;
  const recursive = { type: "array", items: { $ref: "#" } };
  expect(reasonsOf(readSchema(recursive, false), deep)).toEqual([]);
  expect(reasonsOf(readSchema({ type: "object" }, false), { "\ud800": 1 })).toEqual([]);
});

test("readSchema() resolves a $ref only to known schemas, which keep their own draft", () => {
  const tuple = { $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "string" }] };
  const known = new Map([["urn:example:tuple", tuple]]);
  const schema = { $ref: "urn:example:tuple" };
  expect(reasonsOf(readSchema(schema, false, known), [1])).toHaveLength(1);
  expect(readSchema(schema, false).flaw).toMatch(/another document/);
});

test("validate() returns an error instead of a verdict after too many steps", () => {
  const { validate } = readSchema(maze, false);
  expect(validate(inMaze(100))).toEqual({ ok: true, value: [] });
  const judged = validate(inMaze(5_000));
  expect(judged).toEqual({
    ok: false,
    error: expect.stringMatching(/^it takes more than .* steps$/),
  });
});

test("validate() allows enough steps for a long value and an ordinary schema", () => {
  const oneOf = Array.from({ length: 20 }, (_, kind) => ({
    properties: { kind: { const: kind }, name: { type: "string" } },
    required: ["kind"],
  }));
  const value = Array.from({ length: 40_000 }, (_, i) => ({ kind: i % 20, name: `no. ${i}` }));
  const reasons = reasonsOf(readSchema({ items: { oneOf } }, false), value);
  expect(reasons).toEqual([]);
});

test("validate() names the pattern that takes too many steps", () => {
  const { flaw, warnings, validate } = readSchema({ pattern: "^((a+)+)\\2!$" }, false);
  expect([flaw, warnings]).toEqual([null, []]);
  expect(validate("aab!")).toMatchObject({ ok: true, value: [expect.stringMatching(/pattern/)] });
  expect(validate("aaa!")).toEqual({ ok: true, value: [] });
  expect(validate(`${"a".repeat(200)}b`)).toEqual({
    ok: false,
    error: expect.stringMatching(
      /^it takes more than [\d,]+ steps, the last on the pattern "\^\(\(a/,
    ),
  });
});
