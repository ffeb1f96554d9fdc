import type { KeywordCases } from "./keyword-case.ts";

/** Keywords that check a value by itself; the same in every draft. */
export const assertionCases: KeywordCases = {
  boolean_schema: [
    { schema: true, valid: [null, 1, "a", {}, []] },
    { schema: false, invalid: [null, 1, "a", {}, []] },
    { schema: {}, valid: [null, { a: [1] }] },
  ],
  type: [
    { schema: { type: "string" }, valid: ["", "1"], invalid: [1, null, [], {}, true] },
    { schema: { type: "integer" }, valid: [1, 1.0, -0, 1e20], invalid: [1.5, "1", null] },
    { schema: { type: "number" }, valid: [1, 1.5], invalid: ["1", true] },
    { schema: { type: "boolean" }, valid: [true, false], invalid: [0, "", null] },
    { schema: { type: "null" }, valid: [null], invalid: [0, "", false, {}, []] },
    { schema: { type: "array" }, valid: [[]], invalid: [{}, "a", null] },
    { schema: { type: "object" }, valid: [{}], invalid: [[], "a", null] },
    { schema: { type: ["array", "null"] }, valid: [[], null], invalid: [{}, 0] },
  ],
  enum: [
    { schema: { enum: [1, "a", null, { a: [1], b: 2 }] }, valid: [1.0, null, { b: 2, a: [1] }] },
    { schema: { enum: [1, { a: [1] }] }, invalid: ["1", true, { a: [2] }, { a: [1], b: 1 }, [1]] },
    { schema: { enum: [false] }, valid: [false], invalid: [0, [false], null] },
    { schema: { enum: [[0]] }, valid: [[0]], invalid: [[false], 0] },
    { schema: { enum: [] }, invalid: [null, 1] },
    { schema: { enum: ["a\u0000b"] }, valid: ["a\u0000b"], invalid: ["ab"] },
  ],
  const: [
    { schema: { const: 2 }, valid: [2, 2.0], invalid: [5, "2"] },
    { schema: { const: null }, valid: [null], invalid: [0, ""] },
    { schema: { const: { a: 1, b: [{}] } }, valid: [{ b: [{}], a: 1 }], invalid: [{ a: 1 }, []] },
    { schema: { const: true }, valid: [true], invalid: [1, "true"] },
    { schema: { const: 0 }, valid: [-0], invalid: [false, [], ""] },
    { schema: { const: 9007199254740992 }, valid: [2 ** 53], invalid: [2 ** 53 - 1] },
  ],
  multipleOf: [
    { schema: { multipleOf: 2 }, valid: [10, -4, 0, "a"], invalid: [7, 2.5] },
    { schema: { multipleOf: 0.01 }, valid: [19.99, 4.35, 0], invalid: [0.005, 19.999] },
    { schema: { multipleOf: 1e-8 }, valid: [12391239123, 0.0001], invalid: [1e-9] },
    { schema: { type: "integer", multipleOf: 0.123456789 }, invalid: [1e308] },
    { schema: { multipleOf: 0.5 }, valid: [1e308] },
  ],
  maximum: [{ schema: { maximum: 3 }, valid: [2.6, 3, "x", -1e9], invalid: [3.5] }],
  minimum: [{ schema: { minimum: -2 }, valid: [-2, -1.5, "x"], invalid: [-2.0001, -3] }],
  exclusiveMaximum: [{ schema: { exclusiveMaximum: 3 }, valid: [2.2, "x"], invalid: [3, 3.5] }],
  exclusiveMinimum: [{ schema: { exclusiveMinimum: 1.1 }, valid: [1.2, "x"], invalid: [1.1, 0.6] }],
  maxLength: [
    { schema: { maxLength: 2 }, valid: ["A", "Al", 100, "😀😀"], invalid: ["Ada", "😀😀😀"] },
    { schema: { maxLength: 2.0 }, valid: ["ab"], invalid: ["abc"] },
  ],
  minLength: [
    { schema: { minLength: 2 }, valid: ["Ada", "Al", 1, "😀😀"], invalid: ["A", "😀", ""] },
  ],
  pattern: [
    { schema: { pattern: "^a*$" }, valid: ["aaa", "", 5, null, {}], invalid: ["abc"] },
    { schema: { pattern: "a+" }, valid: ["banana"], invalid: ["b"] },
    { schema: { pattern: "^\\p{Letter}$" }, valid: ["é", "𝒜"], invalid: ["1"] },
    { schema: { pattern: "^.$" }, valid: ["😀"], invalid: ["ab"] },
    { schema: { pattern: "\\a" }, valid: ["a"], invalid: ["b"] },
  ],
  maxItems: [{ schema: { maxItems: 2 }, valid: [[], [1, 2], "abc"], invalid: [[1, 2, 3]] }],
  minItems: [{ schema: { minItems: 1 }, valid: [[1], [null], ""], invalid: [[]] }],
  uniqueItems: [
    {
      schema: { uniqueItems: true },
      valid: [[], [1, true], [0, false], ["1", 1], [[1], [true]], [{ a: 1 }, { a: 2 }], [{}, []]],
      invalid: [
        [1, 1.0],
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
        [[["a"]], [["a"]]],
        [null, null],
      ],
    },
    { schema: { uniqueItems: true }, valid: [[{ a: 0 }, { a: false }], 5], invalid: [["x", "x"]] },
    { schema: { uniqueItems: false }, valid: [[1, 1]] },
  ],
  maxProperties: [
    { schema: { maxProperties: 1 }, valid: [{}, { a: 1 }, [1, 2]], invalid: [{ a: 1, b: 2 }] },
  ],
  minProperties: [{ schema: { minProperties: 1 }, valid: [{ a: 1 }, [], ""], invalid: [{}] }],
  required: [
    { schema: { required: ["a"] }, valid: [{ a: null }, [], 5], invalid: [{}, { b: 1 }] },
    {
      schema: { required: ["__proto__", "toString", "constructor"] },
      valid: [JSON.parse('{"__proto__": 1, "toString": 1, "constructor": 1}')],
      invalid: [{}, { toString: 1, constructor: 1 }],
    },
    { schema: { required: [] }, valid: [{}] },
    { schema: { required: ['a"b', "a\\b", "a\tb"] }, invalid: [{ 'a"b': 1, "a\\b": 1 }] },
  ],
  format: [
    { schema: { format: "email" }, valid: ["no address", 5, null] },
    { schema: { format: "no such format" }, valid: ["a"] },
  ],
  default: [
    { schema: { properties: { a: { type: "integer", default: [] } } }, valid: [{}, { a: 1 }] },
    { schema: { properties: { a: { type: "integer", default: 1 } } }, invalid: [{ a: "x" }] },
  ],
  content: [
    { schema: { contentMediaType: "application/json" }, valid: ["no JSON", 5] },
    { schema: { contentEncoding: "base64" }, valid: ["%%%"] },
  ],
};
