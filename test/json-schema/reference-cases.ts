import type { KeywordCases } from "./keyword-case.ts";

const tree = {
  type: "object",
  properties: { value: { type: "number" }, nodes: { items: { $ref: "#" } } },
  required: ["value"],
};

/** References and addresses; the same in every draft. All drafts read `definitions`. */
export const referenceCases: KeywordCases = {
  definitions: [
    {
      schema: { $ref: "#/definitions/a", definitions: { a: { type: "string" } } },
      valid: ["x"],
      invalid: [1],
    },
  ],
  ref: [
    {
      schema: tree,
      valid: [{ value: 1, nodes: [{ value: 2 }] }],
      invalid: [{ value: 1, nodes: [{}] }],
    },
    {
      schema: {
        properties: { a: { $ref: "#/definitions/a~1b" }, b: { $ref: "#/definitions/c%25d" } },
        definitions: { "a/b": { type: "integer" }, "c%d": { type: "string" } },
      },
      valid: [{ a: 1, b: "x" }],
      invalid: [{ a: "x" }, { b: 1 }],
    },
    {
      schema: { properties: { $ref: { type: "string" } } },
      valid: [{ $ref: "a" }],
      invalid: [{ $ref: 2 }],
    },
    {
      schema: { properties: { a: { $ref: "#/properties/b" }, b: false } },
      valid: [{}],
      invalid: [{ a: 1 }],
    },
    {
      schema: {
        $id: "https://example.test/root.json",
        properties: { list: { $ref: "parts/list.json" }, n: { $ref: "root.json#/definitions/n" } },
        definitions: {
          n: { type: "integer" },
          list: { $id: "parts/list.json", items: { $ref: "item.json" } },
          item: { $id: "parts/item.json", type: "string" },
        },
      },
      valid: [{ list: ["a"], n: 1 }],
      invalid: [{ list: [1] }, { n: "x" }],
    },
    {
      schema: {
        $id: "urn:example:root",
        allOf: [{ $ref: "urn:example:root#/definitions/a" }],
        definitions: { a: { type: "string" } },
      },
      valid: ["a"],
      invalid: [1],
    },
    {
      // An $id inside a value is not an address.
      schema: {
        definitions: {
          decoy: { enum: [{ $id: "https://example.test/real.json", type: "null" }] },
          real: { $id: "https://example.test/real.json", type: "string" },
        },
        anyOf: [{ $ref: "https://example.test/real.json" }],
      },
      valid: ["a"],
      invalid: [null, 1],
    },
    {
      schema: { unknown: { held: { type: "integer" } }, allOf: [{ $ref: "#/unknown/held" }] },
      valid: [1],
      invalid: ["a"],
    },
  ],
  refRemote: [
    {
      schema: { properties: { a: { $ref: "https://example.test/r.json#/definitions/int" } } },
      known: { "https://example.test/r.json": { definitions: { int: { type: "integer" } } } },
      valid: [{ a: 1 }],
      invalid: [{ a: "x" }],
    },
    {
      schema: { $id: "https://example.test/dir/a.json", items: { $ref: "b.json" } },
      known: {
        "https://example.test/dir/b.json": { anyOf: [{ $ref: "c.json" }] },
        "https://example.test/dir/c.json": { type: "null" },
      },
      valid: [[null]],
      invalid: [[1]],
    },
  ],
  "infinite-loop-detection": [
    {
      schema: {
        properties: { a: { $ref: "#/definitions/n" } },
        allOf: [{ properties: { a: { $ref: "#/definitions/n" } } }],
        definitions: { n: { type: "integer" } },
      },
      valid: [{ a: 1 }],
      invalid: [{ a: "x" }],
    },
  ],
};
