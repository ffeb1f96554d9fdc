// biome-ignore-all lint/suspicious/noThenProperty: a keyword of JSON Schema
import type { KeywordCases } from "./keyword-case.ts";

/** Keywords that are new in 2019-09 and unchanged in 2020-12. */
export const since2019Cases: KeywordCases = {
  anchor: [
    {
      schema: { $ref: "#named", $defs: { a: { $anchor: "named", type: "integer" } } },
      valid: [1],
      invalid: ["a"],
    },
    {
      schema: {
        $id: "https://example.test/root",
        $ref: "inner#named",
        $defs: {
          a: { $id: "inner", $defs: { b: { $anchor: "named", type: "integer" } } },
          c: { $anchor: "named", type: "string" },
        },
      },
      valid: [1],
      invalid: ["a"],
    },
  ],
  defs: [{ schema: { $ref: "#/$defs/a", $defs: { a: { minimum: 5 } } }, valid: [5], invalid: [4] }],
  ref: [
    {
      schema: { $ref: "#/$defs/list", maxItems: 2, $defs: { list: { type: "array" } } },
      valid: [[1, 2]],
      invalid: [[1, 2, 3], "x"],
    },
    {
      // $id is applied before $anchor, and both before $ref.
      schema: {
        $id: "https://example.test/invoices/invoice",
        $ref: "amount#net",
        $defs: {
          here: { $id: "amount", $anchor: "net", maximum: 10 },
          elsewhere: { $id: "/orders/amount", $anchor: "net", maximum: 2 },
        },
      },
      valid: [5],
      invalid: [50],
    },
  ],
  dependentRequired: [
    {
      schema: { dependentRequired: { b: ["a"], c: [] } },
      valid: [{}, { a: 1, b: 1 }, { c: 1 }, "b"],
      invalid: [{ b: 1 }],
    },
  ],
  dependentSchemas: [
    {
      schema: { dependentSchemas: { b: { required: ["a"] }, c: false } },
      valid: [{ a: 1, b: 1 }, {}, ["c"]],
      invalid: [{ b: 1 }, { c: 1 }],
    },
  ],
  maxContains: [
    { schema: { contains: { const: 1 }, maxContains: 1 }, valid: [[1, 2]], invalid: [[1, 1], []] },
    { schema: { maxContains: 1 }, valid: [[1, 1]] },
  ],
  minContains: [
    { schema: { contains: { const: 1 }, minContains: 2 }, valid: [[1, 1]], invalid: [[1, 2]] },
    { schema: { contains: { const: 1 }, minContains: 0 }, valid: [[], [2]] },
    { schema: { contains: { const: 1 }, minContains: 0, maxContains: 1 }, invalid: [[1, 1]] },
    { schema: { minContains: 2 }, valid: [[]] },
  ],
  unevaluatedProperties: [
    {
      schema: {
        properties: { a: {} },
        allOf: [{ properties: { b: {} } }, { $ref: "#/$defs/c" }],
        unevaluatedProperties: false,
        $defs: { c: { patternProperties: { "^c": {} } } },
      },
      valid: [{ a: 1, b: 1, cc: 1 }, [1]],
      invalid: [{ d: 1 }],
    },
    {
      schema: {
        anyOf: [{ properties: { a: { const: 1 } }, required: ["a"] }, { properties: { b: {} } }],
        unevaluatedProperties: { type: "null" },
      },
      valid: [{ a: 1 }, { a: 1, b: 1 }, { b: 1, z: null }],
      invalid: [{ a: 2 }],
    },
    {
      schema: {
        if: { properties: { a: { const: 1 } }, required: ["a"] },
        then: { properties: { b: {} } },
        else: { properties: { c: {} } },
        unevaluatedProperties: false,
      },
      valid: [{ a: 1, b: 1 }, { c: 1 }],
      invalid: [{ a: 1, c: 1 }, { a: 2 }, { b: 1 }],
    },
    {
      // Evaluations by a failed schema, a negated schema or a cousin do not count.
      schema: {
        allOf: [{ properties: { a: {} } }, { unevaluatedProperties: false }],
        not: { not: { properties: { b: {} } } },
      },
      valid: [{}],
      invalid: [{ a: 1 }, { b: 1 }],
    },
    {
      schema: { dependentSchemas: { a: { properties: { b: {} } } }, unevaluatedProperties: false },
      invalid: [{ a: 1 }, { b: 1 }],
    },
    {
      schema: { allOf: [{ additionalProperties: true }], unevaluatedProperties: false },
      valid: [{ a: 1 }],
    },
    {
      schema: { allOf: [{ unevaluatedProperties: true }], unevaluatedProperties: false },
      valid: [{ a: 1 }],
    },
    {
      schema: {
        properties: { a: { properties: { b: {} }, unevaluatedProperties: false } },
        unevaluatedProperties: false,
      },
      valid: [{ a: { b: 1 } }],
      invalid: [{ a: { c: 1 } }],
    },
  ],
  unevaluatedItems: [
    { schema: { unevaluatedItems: false }, valid: [[], {}], invalid: [[1]] },
    { schema: { items: { type: "string" }, unevaluatedItems: false }, valid: [["a", "b"]] },
    {
      schema: {
        oneOf: [{ items: { const: 1 } }, { items: { const: 2 } }],
        unevaluatedItems: false,
      },
      valid: [[1, 1], [2]],
      invalid: [[3]],
    },
    {
      schema: { allOf: [{ unevaluatedItems: { type: "number" } }], unevaluatedItems: false },
      valid: [[1]],
      invalid: [["a"]],
    },
  ],
  vocabulary: [
    {
      // A custom meta-schema is not fetched; the schema is read as 2020-12.
      schema: { $schema: "https://example.test/my-dialect", minimum: 5 },
      valid: [5],
      invalid: [4],
    },
  ],
};
