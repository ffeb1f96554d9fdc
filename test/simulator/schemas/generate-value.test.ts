import { Validator } from "@cfworker/json-schema";
import { describe, expect, it } from "vitest";
import type { Json } from "../../../shared/contracts/json.ts";
import { drawsFrom } from "../../../simulator/draws.ts";
import { generateValue, snippet } from "../../../simulator/schemas/generate-value.ts";
import { firstRow } from "../support/rows.ts";

const text =
  "Mara paid 42 euros on the second of May in Lisbon for 3 old maps of the Atlantic coast.";
const tree = {
  $ref: "#/$defs/node",
  $defs: {
    node: {
      type: "object",
      properties: { next: { $ref: "#/$defs/node" }, value: { type: "integer" } },
    },
  },
};

function generated(schema: Json): Json {
  return generateValue({ root: schema, text, draws: drawsFrom(1) }, schema);
}

describe("generateValue()", () => {
  it.each<[Json]>([
    [firstRow.schema],
    [tree],
    [{ const: 7 }],
    [{ enum: ["a", null] }],
    [{ type: ["null", "boolean"] }],
    [{ type: "string", minLength: 30, maxLength: 31 }],
    [{ type: "string", format: "date" }],
    [{ type: "number", minimum: 100, maximum: 200 }],
    [{ type: "array", items: { type: "integer" }, minItems: 3 }],
    [{ type: "array", prefixItems: [{ type: "string" }, { type: "boolean" }], minItems: 2 }],
    [{ allOf: [{ type: "object", properties: { a: { type: "string" } } }, { required: ["a"] }] }],
    [{ oneOf: [{ type: "integer" }, { type: "string" }] }],
    [{ type: "null" }],
  ])("makes a value that fits %j", (schema) => {
    expect(new Validator(schema as object).validate(generated(schema)).valid).toBe(true);
  });

  it("terminates for a schema without finite values", () => {
    const endless = { type: "object", properties: { next: { $ref: "#" } }, required: ["next"] };
    expect(JSON.stringify(generated(endless)).length).toBeLessThan(200);
  });

  it("takes words and numbers from the text", () => {
    expect(text).toContain(generated({ type: "string" }));
    expect([42, 3]).toContain(generated({ type: "integer" }));
  });
});

describe("snippet()", () => {
  it.each([
    ["", "unknown"],
    ["one", "one"],
  ])("returns for '%s' '%s'", (source, words) => {
    expect(snippet({ text: source, draws: drawsFrom(1) })).toBe(words);
  });
});
