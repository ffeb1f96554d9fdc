import { expect, test } from "vitest";
import type { JsonObject } from "../../../contracts/json.ts";
import { TolerantSchema } from "./tolerant-schema.ts";

test.each<[JsonObject, JsonObject, number]>([
  [{ type: "string", title: "T" }, { type: "string" }, 0],
  [{ type: "text" }, {}, 1],
  [{ properties: { a: "string" } }, { properties: { a: true } }, 1],
  [{ properties: [] }, {}, 1],
  [{ pattern: "^\\_$" }, { pattern: "^\\_$" }, 0],
  [{ pattern: "(" }, {}, 1],
  [{ pattern: "(?=(a+)+$)b" }, { pattern: "(?=(a+)+$)b" }, 0],
  [{ patternProperties: { "(": {}, "^a": {} } }, { patternProperties: { "^a": {} } }, 1],
  [{ anyOf: [] }, {}, 1],
  [{ anyOf: [{}, 5] }, {}, 1],
  [{ format: "date" }, { format: "date" }, 0],
  [{ format: 5 }, {}, 1],
  [{ items: [{ type: "string" }] }, {}, 1],
  [{ $anchor: "no anchor" }, {}, 1],
  [{ dependencies: { a: ["b"] } }, {}, 0],
  [{ components: { a: { type: "text" } } }, {}, 0],
])("TolerantSchema of %j keeps %j", (schema, kept, warnings) => {
  const tolerant = new TolerantSchema(schema);
  expect(tolerant.schema).toEqual(kept);
  expect(tolerant.warnings).toHaveLength(warnings);
});

test("TolerantSchema uses the keywords of each draft", () => {
  const schema = { items: [true], dependencies: { a: ["b"], c: false }, prefixItems: [true] };
  const read = (draft: "7" | "2019-09" | "2020-12") => new TolerantSchema(schema, draft).schema;
  expect(read("7")).toEqual({ items: [true], dependencies: { a: ["b"], c: false } });
  expect(read("2019-09")).toEqual({ items: [true] });
  expect(read("2020-12")).toEqual({ prefixItems: [true] });
});

test("TolerantSchema keeps a property named __proto__ and does not change the original", () => {
  const schema = JSON.parse('{"properties": {"__proto__": {"type": "string"}}}') as JsonObject;
  const before = JSON.stringify(schema);
  const copy = new TolerantSchema(schema).schema as JsonObject;
  expect(Object.keys(copy["properties"] as JsonObject)).toEqual(["__proto__"]);
  expect(JSON.stringify(schema)).toBe(before);
});

test("TolerantSchema lists fifty warnings and counts the others", () => {
  const names = Array.from({ length: 60 }, (_, i) => [`p${i}`, { type: "text" }]);
  const { warnings } = new TolerantSchema({ properties: Object.fromEntries(names) });
  expect(warnings).toHaveLength(51);
  expect(warnings.at(-1)).toBe("and 10 more");
});
