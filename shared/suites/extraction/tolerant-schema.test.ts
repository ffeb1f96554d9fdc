import { expect, test } from "vitest";
import type { JsonObject } from "../../contracts/json.ts";
import { tolerantSchema } from "./tolerant-schema.ts";

const reading = { formats: false, addresses: true };

test.each<[JsonObject, JsonObject, number]>([
  [{ type: "string", title: "T" }, { type: "string" }, 0],
  [{ type: "text" }, {}, 1],
  [{ properties: { a: "string" } }, { properties: { a: true } }, 1],
  [{ properties: [] }, {}, 1],
  [{ pattern: "^\\_$" }, { pattern: "^_$" }, 0],
  [{ patternProperties: { "(": {}, "^a": {} } }, { patternProperties: { "^a": {} } }, 1],
  [{ anyOf: [] }, {}, 1],
  [{ format: "date" }, {}, 0],
  [{ items: [{ type: "string" }] }, {}, 1],
  [
    { $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "string" }] },
    { items: [{ type: "string" }] },
    0,
  ],
  [
    { components: { a: { type: "string" } }, $ref: "#/components/a" },
    { components: { a: { type: "string" } }, $ref: "#/components/a" },
    0,
  ],
])("tolerantSchema(%j) keeps %j", (schema, kept, warnings) => {
  const tolerant = tolerantSchema(schema, reading);
  expect(tolerant.schema).toEqual(kept);
  expect(tolerant.warnings).toHaveLength(warnings);
});

test("tolerantSchema() keeps formats and drops addresses as it is told", () => {
  const schema = { format: "date", $id: "x", $ref: "http://a/b", allOf: [{ $ref: "#/a" }] };
  const read = tolerantSchema(schema, { formats: true, addresses: false });
  expect(read.schema).toEqual({ format: "date", allOf: [{ $ref: "#/a" }] });
});

test("tolerantSchema() keeps a property named __proto__ and changes nothing", () => {
  const schema = JSON.parse('{"properties": {"__proto__": {"type": "string"}}}') as JsonObject;
  const before = JSON.stringify(schema);
  const copy = tolerantSchema(schema, reading).schema as JsonObject;
  expect(Object.keys(copy["properties"] as JsonObject)).toEqual(["__proto__"]);
  expect(JSON.stringify(schema)).toBe(before);
});
