import { validate } from "@cfworker/json-schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../../contracts/json.ts";
import { reasonsOf } from "../__fixtures__/reasons-of.ts";
import { readSchema } from "../read-schema.ts";

const scalar = fc.constantFrom<Json>(null, true, 0, 1, 2.5, "", "a", "ab", "😀");
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "x_1"), tie("value"), { maxKeys: 3 }),
  ),
}));

const { schema } = fc.letrec<{ schema: JsonObject | boolean }>((tie) => {
  const part = tie("schema") as fc.Arbitrary<Json>;
  const parts = fc.array(part, { minLength: 1, maxLength: 3 });
  const names = fc.uniqueArray(fc.constantFrom("a", "b"), { maxLength: 2 });
  const byName = fc.dictionary(fc.constantFrom("a", "b"), part, { maxKeys: 2 });
  const count = fc.integer({ min: 0, max: 3 });
  const type = fc.constantFrom("null", "boolean", "number", "integer", "string", "array", "object");
  const record = fc.record(
    {
      type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
      enum: fc.array(value, { minLength: 1, maxLength: 3 }),
      const: value,
      required: names,
      minimum: count,
      exclusiveMaximum: count,
      minLength: count,
      maxLength: count,
      minItems: count,
      maxItems: count,
      pattern: fc.constantFrom("^a", "b$", "^(a+)+$"),
      minProperties: count,
      maxProperties: count,
      uniqueItems: fc.boolean(),
      multipleOf: fc.constantFrom(0.5, 2),
      propertyNames: part,
      dependentSchemas: byName,
      contains: part,
      minContains: count,
      maxContains: count,
      dependentRequired: fc.dictionary(fc.constantFrom("a", "b"), names, { maxKeys: 2 }),
      properties: byName,
      patternProperties: fc.record({ "^x_": part }),
      additionalProperties: part,
      items: part,
      prefixItems: parts,
      anyOf: parts,
      allOf: parts,
      oneOf: parts,
      not: part,
      if: part,
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: part,
      else: part,
    },
    { requiredKeys: [] },
  );
  const either = fc.oneof({ maxDepth: 2 }, fc.boolean(), record);
  return { schema: either as unknown as fc.Arbitrary<JsonObject | boolean> };
});

test("SchemaCompiler agrees with @cfworker/json-schema", () => {
  fc.assert(
    fc.property(schema, value, (s, v) => {
      const { valid } = validate(v, JSON.parse(JSON.stringify(s)), "2020-12");
      expect(reasonsOf(readSchema(s, false), v).length === 0).toBe(valid);
    }),
    { numRuns: 1000 },
  );
});

test("SchemaCompiler gives the same results with and without keywords that track evaluated parts", () => {
  fc.assert(
    fc.property(schema, value, (s, v) => {
      const plain = reasonsOf(readSchema(s, false), v).length === 0;
      const wide = { allOf: [s, { unevaluatedProperties: true, unevaluatedItems: true }] };
      expect(reasonsOf(readSchema(wide, false), v).length === 0).toBe(plain);
    }),
    { numRuns: 200 },
  );
});
