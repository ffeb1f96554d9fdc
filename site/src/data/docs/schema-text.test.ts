import { expect, it } from "vitest";
import { limitsText, listedSchema, refsOf, typeText } from "./schema-text.ts";

const run = { $ref: "#/components/schemas/Run" };

it.each([
  [{ type: "string", format: "date-time" }, "string (date-time)"],
  [{ type: ["integer", "null"] }, "integer or null"],
  [{ type: "array", items: run }, "array of Run"],
  [{ anyOf: [run, { type: "null" }] }, "Run or null"],
  [{ enum: ["called", "self-reported"] }, `"called" or "self-reported"`],
  [{ const: 1 }, "1"],
  [{}, "any"],
])("typeText(%j) is %s", (schema, text) => {
  expect(typeText(schema)).toBe(text);
});

it.each([
  [{ minimum: 1, maximum: 200 }, "1 to 200"],
  [{ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, "at least 0"],
  [{ maxLength: 80 }, "at most 80 characters"],
  [{ minItems: 1, maxItems: 20, default: [] }, "1 to 20 items, default []"],
  [{}, ""],
])("limitsText(%j) is %s", (schema, text) => {
  expect(limitsText(schema)).toBe(text);
});

it("listedSchema() finds the only object among choices and merges allOf", () => {
  const object = { properties: { a: {} } };
  expect(listedSchema({ anyOf: [object, { type: "null" }] })).toBe(object);
  expect(listedSchema({ anyOf: [object, { properties: { b: {} } }] })).toBeNull();
  const both = listedSchema({ allOf: [object, { properties: { b: {} } }] });
  expect(Object.keys(both?.properties ?? {})).toEqual(["a", "b"]);
});

it("refsOf() names every referenced component", () => {
  expect(refsOf({ anyOf: [run, { type: "array", items: run }] })).toEqual(["Run"]);
});
