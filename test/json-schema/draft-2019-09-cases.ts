import type { KeywordCases } from "./keyword-case.ts";

const metaSchema = "https://json-schema.org/draft/2019-09/schema";

/** Cases that only 2019-09 interprets like this. */
export const draft201909Cases: KeywordCases = {
  items: [{ schema: { items: [{ const: 1 }] }, valid: [[1, 2]], invalid: [[2]] }],
  additionalItems: [
    { schema: { items: [{}], additionalItems: { const: 1 } }, valid: [[2, 1]], invalid: [[1, 2]] },
  ],
  unevaluatedItems: [
    {
      schema: { allOf: [{ items: [{}, {}] }], items: [{}], unevaluatedItems: false },
      valid: [[1, 2]],
      invalid: [[1, 2, 3]],
    },
    {
      schema: { items: [{}], additionalItems: { const: 1 }, unevaluatedItems: false },
      valid: [[0, 1, 1]],
    },
    { schema: { contains: { const: 1 }, unevaluatedItems: false }, invalid: [[1]] },
  ],
  recursiveRef: [
    {
      schema: { properties: { a: { $recursiveRef: "#" } }, additionalProperties: false },
      valid: [{ a: { a: {} } }],
      invalid: [{ a: { b: 1 } }],
    },
    {
      // The outermost schema with a $recursiveAnchor replaces the inner one.
      schema: {
        $id: "https://example.test/strict",
        $recursiveAnchor: true,
        $ref: "tree",
        unevaluatedProperties: false,
        $defs: {
          tree: {
            $id: "tree",
            $recursiveAnchor: true,
            properties: { nodes: { items: { $recursiveRef: "#" } } },
          },
        },
      },
      valid: [{ nodes: [{ nodes: [] }] }],
      invalid: [{ nodes: [{ extra: 1 }] }],
    },
    {
      // Without its own anchor, the inner schema refers to itself.
      schema: {
        $id: "https://example.test/loose",
        $recursiveAnchor: true,
        $ref: "tree",
        required: ["nodes"],
        $defs: {
          tree: { $id: "tree", properties: { nodes: { items: { $recursiveRef: "#" } } } },
        },
      },
      valid: [{ nodes: [{}] }],
      invalid: [{}],
    },
  ],
  ref: [
    {
      schema: { $ref: metaSchema },
      valid: [{ minLength: 1 }, false],
      invalid: [{ minLength: -1 }],
    },
  ],
  defs: [
    {
      schema: { $ref: metaSchema },
      valid: [{ $defs: { a: { type: "integer" } } }],
      invalid: [{ $defs: { a: { type: 1 } } }],
    },
  ],
};
