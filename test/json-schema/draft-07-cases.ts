import type { KeywordCases } from "./keyword-case.ts";

const metaSchema = "http://json-schema.org/draft-07/schema#";

/** Cases that only draft-07 interprets like this. */
export const draft07Cases: KeywordCases = {
  items: [
    {
      schema: { items: [{ type: "integer" }, { type: "string" }] },
      valid: [[1, "a"], [1], [1, "a", true], []],
      invalid: [["a"], [1, 2]],
    },
  ],
  additionalItems: [
    {
      schema: { items: [{}], additionalItems: { type: "integer" } },
      valid: [[null, 2]],
      invalid: [[null, "x"]],
    },
    { schema: { items: [{}, {}], additionalItems: false }, valid: [[1, 2]], invalid: [[1, 2, 3]] },
    { schema: { items: {}, additionalItems: false }, valid: [[1, 2, 3]] },
    { schema: { additionalItems: false }, valid: [[1], "x"] },
  ],
  dependencies: [
    {
      schema: { dependencies: { b: ["a"], c: [] } },
      valid: [{}, { a: 1 }, { a: 1, b: 2 }, { c: 1 }, ["b"]],
      invalid: [{ b: 2 }],
    },
    {
      schema: { dependencies: { b: { properties: { a: { type: "integer" } } }, c: false } },
      valid: [{ a: "x" }, { a: 1, b: 1 }],
      invalid: [{ a: "x", b: 1 }, { c: 1 }],
    },
  ],
  ref: [
    {
      schema: {
        properties: { a: { $ref: "#/definitions/list", maxItems: 2 } },
        definitions: { list: { type: "array" } },
      },
      valid: [{ a: [] }, { a: [1, 2, 3] }],
      invalid: [{ a: "x" }],
    },
    {
      // A $ref hides its sibling $id, so its target is resolved from the root.
      schema: {
        $id: "https://example.test/base/",
        definitions: {
          here: { $id: "https://example.test/base/n.json", type: "number" },
          there: { $id: "https://example.test/other/n.json", type: "string" },
        },
        allOf: [{ $id: "https://example.test/other/", $ref: "n.json" }],
      },
      valid: [1],
      invalid: ["a"],
    },
    {
      schema: {
        allOf: [{ $ref: "#named" }],
        definitions: { a: { $id: "#named", type: "integer" } },
      },
      valid: [1],
      invalid: ["x"],
    },
    {
      schema: { $ref: metaSchema },
      valid: [{ minLength: 1 }, true],
      invalid: [{ minLength: -1 }, 5],
    },
  ],
  definitions: [
    {
      schema: { $ref: metaSchema },
      valid: [{ definitions: { a: { type: "integer" } } }],
      invalid: [{ definitions: { a: { type: 1 } } }],
    },
  ],
  contains: [{ schema: { contains: { const: 1 }, minContains: 0, maxContains: 0 }, valid: [[1]] }],
};
