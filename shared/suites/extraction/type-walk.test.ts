import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../contracts/json.ts";
import { prepareSchema } from "./prepare-schema.ts";

const schema: JsonObject = {
  properties: {
    level: { enum: ["low", "high"] },
    count: { type: "integer" },
    either: { anyOf: [{ type: "string" }, { type: "number", minimum: 10 }] },
    person: { $ref: "#/$defs/person", properties: { age: { type: "integer" } } },
    tuple: { prefixItems: [{ type: "string" }], items: { type: "number" } },
    free: { description: "anything" },
  },
  patternProperties: { "^x_": { type: "boolean" } },
  additionalProperties: { type: "number" },
  $defs: { person: { properties: { name: { type: "string" } } } },
};

test.each<[(string | number)[], Json, boolean | null]>([
  [["level"], "low", true],
  [["level"], "mid", false],
  [["count"], 5.0, true],
  [["count"], 5.5, false],
  [["either"], 3, true],
  [["either"], true, false],
  [["person", "name"], "Ada", true],
  [["person", "age"], "36", false],
  [["tuple", 0], "a", true],
  [["tuple", 1], "a", false],
  [["tuple", 7], 1, true],
  [["free"], {}, null],
  [["x_1"], true, true],
  [["other"], "a", false],
  [["constructor"], 1, true],
  [["free", "deeper"], 1, null],
])("TypeWalk at %j accepts %j: %s", (path, value, accepted) => {
  let walk = prepareSchema(schema, false).types;
  for (const step of path) {
    walk = typeof step === "string" ? walk.property(step) : walk.element(step);
  }
  expect(walk.accepts(value)).toBe(accepted);
});

test("TypeWalk follows a recursive schema as far as a value goes", () => {
  const tree = { properties: { child: { $ref: "#" }, name: { type: "string" } } };
  let walk = prepareSchema(tree, false).types;
  for (let i = 0; i < 50; i++) walk = walk.property("child");
  expect(walk.property("name").accepts(1)).toBe(false);
});

test("TypeWalk takes a nullable array, a list of types and a fraction for what they are", () => {
  const types = (schema: JsonObject) => prepareSchema(schema, false).types;
  const nullable = types({ type: ["array", "null"], items: { type: "integer" } });
  expect(nullable.accepts([])).toBe(true);
  expect(nullable.accepts("a")).toBe(false);
  expect(nullable.element(3).accepts(1e308)).toBe(true);
  expect(nullable.element(3).accepts(1.5)).toBe(false);
  expect(types({ type: "integer", minimum: 9 }).accepts(5.0)).toBe(true);
  expect(types({ enum: [{ a: [1] }, null] }).accepts({ a: [1.0] })).toBe(true);
  expect(types({ type: "string", enum: [1, "a"] }).accepts(1)).toBe(false);
});

test("TypeWalk reads lists of schemas as the draft does", () => {
  const lists = { items: [{ type: "string" }], prefixItems: [{ type: "null" }] };
  const first = (schema: JsonObject) => prepareSchema(schema, false).types.element(0);
  const draft7 = { $schema: "http://json-schema.org/draft-07/schema#", ...lists };
  expect(first(draft7).accepts("a")).toBe(true);
  expect(first(lists).accepts("a")).toBe(false);
  expect(prepareSchema(draft7, false).types.element(1).accepts(1)).toBeNull();
});

test("TypeWalk compiles a pattern with the flag u, else without, else ignores it", () => {
  const patternProperties = {
    "^\\p{L}$": { type: "string" },
    "^\\_\\@$": { type: "null" },
    "(": {},
  };
  const { types } = prepareSchema({ patternProperties }, false);
  expect(types.property("é").accepts("a")).toBe(true);
  expect(types.property("_@").accepts(null)).toBe(true);
  expect(types.property("(").accepts(null)).toBeNull();
});

test("TypeWalk follows a chain of references of any length", () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, i) => [`d${i}`, { $ref: `#/$defs/d${i + 1}` }]),
  );
  const schema = { $ref: "#/$defs/d0", $defs: { ...$defs, d20000: { type: "string" } } };
  expect(prepareSchema(schema, false).types.accepts(1)).toBe(false);
});
