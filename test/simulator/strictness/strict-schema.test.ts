import { describe, expect, it } from "vitest";
import type { Json } from "../../../shared/contracts/json.ts";
import { strictSchemaFault } from "../../../simulator/strictness/strict-schema.ts";

const closed = (properties: Record<string, Json>, more: Record<string, Json> = {}) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});
const text = { type: "string" };
const deep = Array.from({ length: 12 }).reduce<Json>((inner) => closed({ inner }), closed({}));

describe("strictSchemaFault()", () => {
  it.each([
    closed({}),
    closed({ a: { ...text, format: "date", description: "x" }, b: { type: ["integer", "null"] } }),
    closed(
      { a: { $ref: "#/$defs/a" } },
      { $defs: { a: closed({ b: { anyOf: [text, closed({})] } }) } },
    ),
    closed({ list: { type: "array", items: closed({ a: { enum: [1, 2] } }), maxItems: 3 } }),
  ])("accepts %j", (schema) => {
    expect(strictSchemaFault(schema)).toBeNull();
  });

  it.each<[Json | undefined, string]>([
    [undefined, "got 'type: \"None\"'"],
    [{ type: "array", items: text }, "got 'type: \"array\"'"],
    [closed({}, { anyOf: [] }), "'anyOf' is not permitted"],
    [
      closed({}, { additionalProperties: true }),
      "In context=(), 'additionalProperties' is required",
    ],
    [closed({ a: text, b: text }, { required: ["a"] }), "Missing 'b'."],
    [
      closed({ a: { ...text, minLength: 1 } }),
      "In context=('properties', 'a'), 'minLength' is not permitted.",
    ],
    [closed({ a: { ...text, format: "uri" } }), "'uri' is not a supported format"],
    [closed({ a: { type: "array" } }), "array schema missing items"],
    [closed({ a: {} }), "schema must have a 'type' key"],
    [closed({ a: true }), "a schema must be an object"],
    [
      closed({ a: { type: "array", items: { type: "object" } } }),
      "In context=('properties', 'a', 'items')",
    ],
    [
      closed({ a: { anyOf: [text, { type: "object" }] } }),
      "In context=('properties', 'a', 'anyOf', '1')",
    ],
    [closed({}, { $defs: { a: { type: "object" } } }), "In context=('$defs', 'a')"],
    [deep, "nested deeper than 10 levels"],
  ])("refuses %j", (schema, message) => {
    expect(strictSchemaFault(schema)).toContain(message);
  });
});
