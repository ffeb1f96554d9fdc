import { expect, test } from "vitest";
import { readSchema } from "./read-schema.ts";
import { reasonWords } from "./reason-words.ts";

const schema = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 3 },
    kind: { enum: ["a", "b"] },
    code: { type: "string", pattern: "^[A-Z]+$" },
    "odd/name": { type: "number" },
    items: {
      type: "array",
      uniqueItems: true,
      items: { type: "object", properties: { price: { type: "number" } }, required: ["price"] },
    },
    either: { oneOf: [{ type: "string" }, { type: "number" }] },
    never: { not: { type: "string" } },
  },
  required: ["name"],
  additionalProperties: false,
};

test.each([
  [{ name: "Ada", summary: "x" }, "`summary` is not allowed by the schema"],
  [{}, "`name` is missing"],
  [{ name: 5 }, "`name` is number, not string"],
  [{ name: "A" }, "`name` has 1 characters, the limit is 3"],
  [{ name: "Ada", kind: "c" }, '`kind`: "c" is not one of ["a","b"] (`enum`)'],
  [{ name: "Ada", code: "x" }, '`code`: "x" does not meet "^[A-Z]+$" (`pattern`)'],
  [{ name: "Ada", "odd/name": "5" }, "`odd/name` is string, not number"],
  [{ name: "Ada", items: [{ price: 1 }, {}] }, "`items[1].price` is missing"],
  [
    { name: "Ada", items: [{ price: 1 }, { price: 1 }] },
    "`items`: an element occurs twice (`uniqueItems`)",
  ],
  [{ name: "Ada", never: "x" }, "`never` does not fit `not` of the schema"],
  ["Ada", "the output is string, not object"],
])("reasonWords() of %j is %s", (value, words) => {
  const reasons = readSchema(schema, false).validate(value);
  expect(reasons.ok && reasons.value.map(reasonWords)).toContain(words);
});

test("reasonWords() returns unparsable reasons unchanged", () => {
  expect(reasonWords("too many steps")).toBe("too many steps");
});
