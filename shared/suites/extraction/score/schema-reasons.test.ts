import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../../contracts/json.ts";
import { reasonsOf } from "../../../measures/json-schema/__fixtures__/reasons-of.ts";
import { prepareSchema } from "../sample.ts";

const draft7 = { $schema: "http://json-schema.org/draft-07/schema#" };
const words: JsonObject = { type: "array", items: { type: "string" } };

test.each<[JsonObject, Json, string[]]>([
  [{ type: "string" }, 1, ["# type: is number, not string"]],
  [{ properties: { a: words } }, { a: ["x", 5] }, ["#/a/1 type: is number, not string"]],
  [{ properties: { "a/b": false } }, { "a/b": 1 }, ["#/a~1b schema: does not fit"]],
  [{ $ref: "#/$defs/w", $defs: { w: words } }, [1], ["#/0 type: is number, not string"]],
  [{ allOf: [{ minimum: 5 }] }, 1, ["# minimum: 1 does not meet 5"]],
  [
    { anyOf: [{ type: "string" }, { minimum: 5 }] },
    1,
    [
      "# type: is number, not string",
      "# minimum: 1 does not meet 5",
      "# anyOf: 0 of 2 alternatives fit",
    ],
  ],
  [{ oneOf: [{}, {}] }, 1, ["# oneOf: 2 of 2 alternatives fit"]],
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  [{ if: true, then: { const: 2 } }, 1, ["# const: 1 is not 2"]],
  [{ not: {} }, 1, ["# not: does not fit"]],
  [{ contains: { const: 1 } }, [], ["# contains: does not fit"]],
  [{ patternProperties: { "^a": false } }, { ab: 1 }, ["#/ab schema: does not fit"]],
  [{ additionalProperties: { type: "null" } }, { a: 1 }, ["#/a type: is number, not null"]],
  [{ unevaluatedProperties: false }, { a: 1 }, ["# unevaluatedProperties: does not fit"]],
  [{ ...draft7, items: [{}, false] }, [1, 2], ["#/1 schema: does not fit"]],
  [
    { ...draft7, $ref: "#/definitions/n", type: "string", definitions: { n: { minimum: 5 } } },
    1,
    ["# minimum: 1 does not meet 5"],
  ],
])("reasonsAgainst() explains why %j refuses %j", (schema, value, reasons) => {
  expect(reasonsOf(prepareSchema(schema, false), value)).toEqual(reasons);
});

test("reasonsAgainst() stops at the fifth reason", () => {
  const value = Array.from({ length: 1000 }, () => 1);
  expect(reasonsOf(prepareSchema(words, false), value)).toHaveLength(5);
});
