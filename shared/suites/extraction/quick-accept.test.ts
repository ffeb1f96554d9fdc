import { validate } from "@cfworker/json-schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../contracts/json.ts";
import { acceptor } from "./quick-accept.ts";

const noRefs = () => undefined;

const scalar = fc.constantFrom<Json>(null, true, 0, 1, 2.5, "", "a", "ab", "😀");
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "x_1"), tie("value"), { maxKeys: 3 }),
  ),
}));

const { schema } = fc.letrec<{ schema: Json }>((tie) => {
  const part = tie("schema");
  const parts = fc.array(part, { minLength: 1, maxLength: 3 });
  const names = fc.uniqueArray(fc.constantFrom("a", "b"), { maxLength: 2 });
  const count = fc.integer({ min: 0, max: 3 });
  const type = fc.constantFrom("null", "boolean", "number", "integer", "string", "array", "object");
  const record = fc.record(
    {
      ...{ type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })) },
      ...{ enum: fc.array(value, { minLength: 1, maxLength: 3 }), const: value, required: names },
      ...{ minimum: count, exclusiveMaximum: count, minLength: count, maxLength: count },
      ...{ minItems: count, maxItems: count, pattern: fc.constantFrom("^a", "b$") },
      ...{ properties: fc.dictionary(fc.constantFrom("a", "b"), part, { maxKeys: 2 }) },
      ...{ patternProperties: fc.record({ "^x_": part }), additionalProperties: part },
      ...{ items: part, prefixItems: parts, anyOf: parts, allOf: parts, oneOf: parts, not: part },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      ...{ if: part, then: part, else: part },
    },
    { requiredKeys: [] },
  );
  return { schema: fc.oneof({ maxDepth: 2 }, fc.boolean(), record) as fc.Arbitrary<Json> };
});

test("acceptor() agrees with the full validator", () => {
  fc.assert(
    fc.property(schema, value, (s, v) => {
      const quick = acceptor(s, "2020-12", noRefs);
      expect(quick?.(v)).toBe(validate(v, s as JsonObject, "2020-12").valid);
    }),
    { numRuns: 2000 },
  );
});

test.each([{ multipleOf: 2 }, { properties: { a: { contains: {} } } }, { items: [{}] }])(
  "acceptor() leaves %j to the full validator",
  (unknown) => {
    expect(acceptor(unknown, "7", noRefs)).toBeNull();
  },
);
