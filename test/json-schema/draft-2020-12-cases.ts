import type { KeywordCases } from "./keyword-case.ts";

const metaSchema = "https://json-schema.org/draft/2020-12/schema";

/** Cases that only 2020-12 interprets like this. */
export const draft202012Cases: KeywordCases = {
  prefixItems: [
    {
      schema: { prefixItems: [{ type: "integer" }, { type: "string" }] },
      valid: [[1, "a"], [1], [1, "a", true], { 0: "x" }],
      invalid: [["a"], [1, 2]],
    },
    { schema: { prefixItems: [true, false] }, valid: [[1]], invalid: [[1, 2]] },
  ],
  items: [
    { schema: { prefixItems: [{}], items: { const: 1 } }, valid: [[2, 1]], invalid: [[1, 2]] },
    { schema: { allOf: [{ prefixItems: [{ const: 1 }] }], items: { minimum: 5 } }, invalid: [[1]] },
  ],
  unevaluatedItems: [
    {
      schema: { prefixItems: [{}], allOf: [{ prefixItems: [{}, {}] }], unevaluatedItems: false },
      valid: [[1, 2]],
      invalid: [[1, 2, 3]],
    },
    {
      schema: { contains: { type: "string" }, unevaluatedItems: { type: "number" } },
      valid: [["a", 1, "b"]],
      invalid: [["a", null]],
    },
  ],
  dynamicRef: [
    {
      schema: {
        items: { $dynamicRef: "#x" },
        $defs: { a: { $dynamicAnchor: "x", type: "string" } },
      },
      valid: [["a"]],
      invalid: [[1]],
    },
    {
      schema: { items: { $dynamicRef: "#x" }, $defs: { a: { $anchor: "x", type: "string" } } },
      valid: [["a"]],
      invalid: [[1]],
    },
    {
      schema: { items: { $ref: "#x" }, $defs: { a: { $dynamicAnchor: "x", type: "string" } } },
      valid: [["a"]],
      invalid: [[1]],
    },
    {
      // A list of anything, extended to a list of strings: the outer anchor applies.
      schema: {
        $id: "https://example.test/strings",
        $ref: "list",
        $defs: {
          text: { $dynamicAnchor: "element", type: "string" },
          list: {
            $id: "list",
            items: { $dynamicRef: "#element" },
            $defs: { any: { $dynamicAnchor: "element" } },
          },
        },
      },
      valid: [["a"]],
      invalid: [[1]],
    },
    {
      // A pointer is never dynamic.
      schema: {
        $id: "https://example.test/pointer",
        $ref: "list",
        $defs: {
          text: { $dynamicAnchor: "element", type: "string" },
          list: {
            $id: "list",
            items: { $dynamicRef: "#/$defs/any" },
            $defs: { any: { $dynamicAnchor: "element" } },
          },
        },
      },
      valid: [[1]],
    },
    {
      // Once evaluation has left a resource, its anchors are out of scope.
      schema: {
        $id: "https://example.test/left",
        allOf: [{ $ref: "texts" }, { $ref: "list" }],
        $defs: {
          texts: {
            $id: "texts",
            $defs: { a: { $dynamicAnchor: "element", type: "string" } },
          },
          list: {
            $id: "list",
            items: { $dynamicRef: "#element" },
            $defs: { any: { $dynamicAnchor: "element", type: "number" } },
          },
        },
      },
      valid: [[1]],
      invalid: [["a"]],
    },
  ],
  unevaluatedProperties: [
    {
      schema: {
        $id: "https://example.test/strict",
        $dynamicAnchor: "node",
        $ref: "tree",
        unevaluatedProperties: false,
        $defs: {
          tree: {
            $id: "tree",
            $dynamicAnchor: "node",
            properties: { nodes: { items: { $dynamicRef: "#node" } } },
          },
        },
      },
      valid: [{ nodes: [{ nodes: [] }] }],
      invalid: [{ nodes: [{ extra: 1 }] }],
    },
  ],
  ref: [
    { schema: { $ref: metaSchema }, valid: [{ minLength: 1 }, true], invalid: [{ minLength: -1 }] },
  ],
  defs: [
    {
      schema: { $ref: metaSchema },
      valid: [{ $defs: { a: { type: "integer" } } }],
      invalid: [{ $defs: { a: { type: 1 } } }],
    },
  ],
};
