import { expect, test } from "vitest";
import type { JsonObject } from "../../../contracts/json.ts";
import { reasonsOf } from "../../../measures/json-schema/__fixtures__/reasons-of.ts";
import { prepareSchema } from "../sample.ts";

const draft7 = { $schema: "http://json-schema.org/draft-07/schema#" };

test.each<[JsonObject, RegExp]>([
  [{ $ref: "#" }, /refers to itself/],
  [{ allOf: [{ $ref: "#" }] }, /refers to itself/],
  [{ anyOf: [{ type: "string" }, { $ref: "#" }] }, /refers to itself/],
  [{ $dynamicRef: "#" }, /refers to itself/],
  [
    { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { not: { $ref: "#/$defs/a" } } } },
    /refers to itself/,
  ],
  [{ $ref: "https://elsewhere.example/schema" }, /another document/],
  [{ properties: { a: { $ref: "common.json#/a" } } }, /common\.json.* another document/],
])("schemaFlaw() finds a flaw in %j", (schema, flaw) => {
  const { flaw: found, validate } = prepareSchema(schema, false);
  expect(found).toMatch(flaw);
  expect(validate(1)).toEqual({ ok: false, error: found });
});

test.each<[JsonObject]>([
  [{ items: { $ref: "#" } }],
  [{ properties: { a: { $ref: "#" } }, anyOf: [{ required: ["a"] }, { maxProperties: 0 }] }],
  [{ $ref: "https://json-schema.org/draft/2020-12/schema" }],
  // These are not referenced.
  [{ $defs: { a: { $ref: "https://elsewhere.example/" }, b: { $ref: "#/$defs/b" } } }],
  // Only some values take too long to match, so this is checked for each value.
  [{ pattern: "^(a+)\\1+$" }],
  [{ properties: { a: { pattern: "^(?=(a+)+$)a" } } }],
  [{ patternProperties: { "(a{1,1000}){1,1000}": {} } }],
  [{ ...draft7, $ref: "#/definitions/a", allOf: [{ $ref: "#" }], definitions: { a: {} } }],
])("schemaFlaw() finds no flaw in %j", (schema) => {
  expect(prepareSchema(schema, false)).toMatchObject({ flaw: null, warnings: [] });
});

test("schemaFlaw() reports a schema that is nested too deeply", () => {
  let schema: JsonObject = {};
  for (let depth = 0; depth < 10_000; depth++) schema = { properties: { a: schema } };
  expect(prepareSchema(schema, false).flaw).toMatch(/nested deeper/);
});

test("dropDeadRefs() warns about each dead $ref once and keeps its sibling keywords", () => {
  const dead = { $ref: "#/definitions/Nothing", type: "string" };
  const prepared = prepareSchema({ properties: { a: dead, b: dead } }, false);
  expect(prepared.warnings).toEqual(['$ref "#/definitions/Nothing" has no target and was ignored']);
  expect(reasonsOf(prepared, { a: 1 })).toHaveLength(1);
});
