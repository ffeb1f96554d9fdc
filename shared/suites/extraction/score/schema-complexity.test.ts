import { expect, test } from "vitest";
import type { JsonObject } from "../../../contracts/json.ts";
import { prepareSchema } from "../sample.ts";
import { isTooWide, type SchemaComplexity, schemaComplexity } from "./schema-complexity.ts";

const complexityOf = (schema: JsonObject | boolean) =>
  schemaComplexity(prepareSchema(schema, false).place);

const none: SchemaComplexity = {
  totalFields: 0,
  requiredFields: 0,
  optionalFields: 0,
  maxDepth: 0,
  typeDiversity: 0,
  hasArrays: false,
  hasNestedObjects: false,
  enumFields: 0,
  formatFields: 0,
  bin: "simple",
};
const flat = (count: number): JsonObject => ({
  properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, {}])),
});

const cases: [string, JsonObject | boolean, Partial<SchemaComplexity>][] = [
  ["an empty schema", {}, {}],
  ["a boolean", true, {}],
  ["a root scalar", { type: "string" }, {}],
  // id and tag are required; the elements of tag are not fields.
  [
    "leaves",
    {
      required: ["id", "tag"],
      properties: {
        id: { type: "integer", format: "int32" },
        tag: { type: "array", items: { enum: ["x"] } },
        kind: { enum: ["a", 1, null] },
        when: { type: ["string", "null"], format: "date" },
      },
    },
    // number (integer and 1), array, string
    {
      totalFields: 4,
      requiredFields: 2,
      optionalFields: 2,
      typeDiversity: 3,
      hasArrays: true,
      enumFields: 1,
      formatFields: 2,
    },
  ],
  // a.b.c is required at every level; rows[].x depends on rows, which is optional: depths 2 and 1.
  [
    "nested objects",
    {
      required: ["a"],
      properties: {
        a: { required: ["b"], properties: { b: { required: ["c"], properties: { c: {} } } } },
        rows: { items: { required: ["x"], properties: { x: { type: "boolean" } } } },
      },
    },
    {
      totalFields: 2,
      requiredFields: 1,
      optionalFields: 1,
      maxDepth: 2,
      typeDiversity: 1,
      hasArrays: true,
      hasNestedObjects: true,
      bin: "medium",
    },
  ],
  // An object without named properties is a leaf, and so is an array of such objects.
  [
    "free objects",
    { properties: { a: { type: "object" }, b: { items: { type: "object" } } } },
    {
      totalFields: 2,
      optionalFields: 2,
      hasArrays: true,
      hasNestedObjects: true,
      typeDiversity: 1,
    },
  ],
  // x and y in the branches, z in the reference, w next to it; x is named twice and counted once.
  [
    "branches and references",
    {
      $ref: "#/$defs/base",
      properties: { w: {} },
      anyOf: [{ properties: { x: {} } }, { required: ["x"], properties: { x: {}, y: {} } }],
      $defs: { base: { required: ["z"], properties: { z: {} } } },
    },
    { totalFields: 4, requiredFields: 2, optionalFields: 2 },
  ],
  // Only the value of the root counts; children repeat the root and are ignored.
  [
    "a tree",
    { properties: { value: {}, children: { type: "array", items: { $ref: "#" } } } },
    { totalFields: 1, optionalFields: 1, hasArrays: true, hasNestedObjects: true },
  ],
  // The repeated node has an additional field, which counts: value, next.mark.
  [
    "a repeat with something new",
    {
      $ref: "#/$defs/node",
      $defs: {
        node: {
          properties: {
            value: {},
            next: { allOf: [{ $ref: "#/$defs/node" }, { properties: { mark: {} } }] },
          },
        },
      },
    },
    { totalFields: 2, optionalFields: 2, maxDepth: 1, hasNestedObjects: true },
  ],
  // A part that is mixed in at two levels is not a repeat: name, inner.name, inner.size.
  [
    "a part used at two levels",
    {
      allOf: [{ $ref: "#/$defs/named" }],
      properties: { inner: { allOf: [{ $ref: "#/$defs/named" }], properties: { size: {} } } },
      $defs: { named: { properties: { name: {} } } },
    },
    { totalFields: 3, optionalFields: 3, maxDepth: 1, hasNestedObjects: true },
  ],
  ["4 fields", flat(4), { totalFields: 4, optionalFields: 4 }],
  ["5 fields", flat(5), { totalFields: 5, optionalFields: 5, bin: "medium" }],
  ["15 fields", flat(15), { totalFields: 15, optionalFields: 15, bin: "medium" }],
  ["16 fields", flat(16), { totalFields: 16, optionalFields: 16, bin: "complex" }],
];

test.each(cases)("schemaComplexity() handles %s", (_, schema, complexity) => {
  expect(complexityOf(schema)).toEqual({ ...none, ...complexity });
});

/** A schema of 30 definitions that each refer twice to the next one. */
function multiplying(last: JsonObject): JsonObject {
  const $defs: JsonObject = { d30: last };
  for (let i = 0; i < 30; i++) {
    const next = { $ref: `#/$defs/d${i + 1}` };
    $defs[`d${i}`] = { properties: { a: next, b: next } };
  }
  return { $ref: "#/$defs/d0", $defs };
}

test("schemaComplexity() finishes on references that multiply", () => {
  const complexity = complexityOf(multiplying({ type: "string" }));
  expect(complexity).toMatchObject({ maxDepth: 29, bin: "complex" });
  expect(complexity.totalFields).toBeGreaterThan(1000);
  expect(complexityOf(multiplying({ $ref: "#" })).totalFields).toBe(0);
});

test("schemaComplexity() counts no fields in a schema that is deeper than any value", () => {
  const deep = JSON.parse(`${'{"properties":{"a":'.repeat(20_000)}{}${"}}".repeat(20_000)}`);
  expect(complexityOf(deep)).toMatchObject({ totalFields: 0, bin: "simple" });
});

const branches = (count: number, more: JsonObject): JsonObject => ({
  anyOf: Array.from({ length: count }, (_, i) => ({
    properties: { [`f${i}`]: {} },
    required: [`f${i}`],
    ...more,
  })),
});

test("schemaComplexity() counts the fields of 8,000 branches", () => {
  const { place } = prepareSchema(branches(8_000, {}), false);
  expect(schemaComplexity(place)).toMatchObject({ totalFields: 8_000, requiredFields: 8_000 });
});

test.each([
  [400, { additionalProperties: {} }, false],
  [600, { additionalProperties: {} }, true],
  [600, { patternProperties: { "^x": {} } }, true],
  [8_000, { additionalProperties: false }, false],
])("isTooWide() on %i branches with %j is %s", (count, more, tooWide) => {
  const { place } = prepareSchema(branches(count, more), false);
  expect(isTooWide(place)).toBe(tooWide);
});
