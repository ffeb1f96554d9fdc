// biome-ignore-all lint/suspicious/noThenProperty: a keyword of JSON Schema
import type { KeywordCases } from "./keyword-case.ts";

/** Keywords that contain schemas; the same in every draft. */
export const applicatorCases: KeywordCases = {
  allOf: [
    { schema: { allOf: [{ minimum: 2 }, { maximum: 4 }] }, valid: [3, "a"], invalid: [1, 5] },
    { schema: { type: "number", allOf: [{ minimum: 2 }] }, valid: [2], invalid: ["a", 1] },
    { schema: { allOf: [true, false] }, invalid: [1] },
  ],
  anyOf: [
    { schema: { anyOf: [{ type: "integer" }, { minimum: 2 }] }, valid: [1, 2.5], invalid: [1.5] },
    { schema: { type: "string", anyOf: [{ maxLength: 2 }] }, valid: ["a"], invalid: [3, "abc"] },
    { schema: { anyOf: [false, {}] }, valid: [1] },
  ],
  oneOf: [
    {
      schema: { oneOf: [{ type: "integer" }, { minimum: 2 }] },
      valid: [1, 2.5],
      invalid: [3, 1.5],
    },
    { schema: { oneOf: [true, true, false] }, invalid: [1] },
    {
      schema: { oneOf: [{ required: ["a"] }, { required: ["b"] }] },
      valid: [{ a: 1 }, { b: 1 }],
      invalid: [{}, { a: 1, b: 1 }],
    },
  ],
  not: [
    { schema: { not: { type: "integer" } }, valid: ["a", 1.5], invalid: [1] },
    { schema: { not: {} }, invalid: [1, {}] },
    { schema: { not: { not: {} } }, valid: [1] },
    { schema: { properties: { a: { not: {} } } }, valid: [{ b: 1 }], invalid: [{ a: 1 }] },
  ],
  "if-then-else": [
    {
      schema: { if: { maximum: 0 }, then: { minimum: -10 }, else: { multipleOf: 2 } },
      valid: [-1, 4, "a"],
      invalid: [-100, 3],
    },
    { schema: { if: { const: 0 } }, valid: [0, 1] },
    { schema: { then: false, else: false }, valid: [1] },
    { schema: { if: false, then: false, else: { const: 1 } }, valid: [1], invalid: [2] },
    { schema: { allOf: [{ if: { minimum: 0 } }, { then: false }] }, valid: [1] },
  ],
  properties: [
    {
      schema: { properties: { a: { type: "integer" }, b: false } },
      valid: [{ a: 1 }, {}, [], { c: 1 }],
      invalid: [{ a: "x" }, { b: 1 }],
    },
    {
      schema: {
        properties: { name: { type: "string", maxLength: 5 }, note: { type: "string" } },
        patternProperties: { "^n": { minLength: 2 } },
        additionalProperties: { type: "boolean" },
      },
      valid: [{ name: "Ada" }, { paid: true }, { note: "as agreed" }, { number: 7 }],
      invalid: [{ name: "Adelaide" }, { name: "A" }, { nick: "A" }, { paid: "x" }],
    },
    {
      schema: JSON.parse('{"properties": {"__proto__": {"type": "number"}}}'),
      valid: [{}, JSON.parse('{"__proto__": 1}')],
      invalid: [JSON.parse('{"__proto__": "a"}')],
    },
    {
      schema: { properties: { constructor: { type: "number" }, toString: { minLength: 2 } } },
      valid: [{}, { constructor: 1 }],
      invalid: [{ constructor: "a" }, { toString: "a" }],
    },
    { schema: { properties: { "a\nb": { type: "null" } } }, invalid: [{ "a\nb": 1 }] },
  ],
  patternProperties: [
    {
      schema: { patternProperties: { "^id_": { type: "integer" }, secret: false } },
      valid: [{ id_tax: 1 }, { my_id_tax: "x" }, {}, "id_tax"],
      invalid: [{ id_tax: "x" }, { top_secret: 1 }, { id_a: 1, id_b: "x" }],
    },
    {
      schema: { patternProperties: { price: { type: "number" }, "^net": { minimum: 0 } } },
      valid: [{ price: -1 }, { net_price: 18 }, { net: "x" }],
      invalid: [{ price: "x" }, { net_price: -1 }, { net: -1 }],
    },
    { schema: { patternProperties: { Total: { type: "string" } } }, valid: [{ total: 1 }] },
  ],
  additionalProperties: [
    {
      schema: {
        properties: { a: {} },
        patternProperties: { "^v": {} },
        additionalProperties: false,
      },
      valid: [{ a: 1 }, { a: 1, vat: 2 }, [1], "x"],
      invalid: [{ a: 1, total: 2 }],
    },
    {
      schema: { additionalProperties: { type: "boolean" } },
      valid: [{ a: true }],
      invalid: [{ a: 1 }],
    },
    {
      schema: { allOf: [{ properties: { a: {} } }], additionalProperties: { type: "boolean" } },
      invalid: [{ a: 1, b: true }],
    },
    { schema: { additionalProperties: { type: "null" } }, invalid: [{ constructor: 1 }] },
  ],
  propertyNames: [
    {
      schema: { propertyNames: { maxLength: 3 } },
      valid: [{ f: 1 }, {}, [1]],
      invalid: [{ abcd: 1 }],
    },
    { schema: { propertyNames: false }, valid: [{}], invalid: [{ a: 1 }] },
    { schema: { propertyNames: { enum: ["a", "b"] } }, valid: [{ a: 1 }], invalid: [{ c: 1 }] },
  ],
  items: [
    { schema: { items: { type: "integer" } }, valid: [[], [1], { 0: "x" }], invalid: [[1, "x"]] },
    { schema: { items: false }, valid: [[]], invalid: [[1]] },
    { schema: { items: { items: { minimum: 1 } } }, valid: [[[1]], [["a"]]], invalid: [[[0]]] },
    { schema: { items: { type: "null" } }, valid: [[null]], invalid: [[0]] },
  ],
  contains: [
    { schema: { contains: { minimum: 5 } }, valid: [[3, 5], "x", {}], invalid: [[3], []] },
    { schema: { contains: true }, valid: [["a"]], invalid: [[]] },
    { schema: { contains: false }, invalid: [[1], []] },
    { schema: { contains: { type: "null" }, items: { multipleOf: 2 } }, invalid: [[1], [2]] },
  ],
};
