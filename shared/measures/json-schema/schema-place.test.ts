import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../contracts/json.ts";
import { prepareSchema } from "../../suites/extraction/sample.ts";
import type { SchemaPlace } from "./schema-place.ts";

const draft7 = { $schema: "http://json-schema.org/draft-07/schema#" };

/** The place at the end of `steps`: property names, and indices of elements. */
function placeAt(schema: JsonObject | boolean, ...steps: (string | number)[]): SchemaPlace | null {
  return steps.reduce<SchemaPlace | null>(
    (place, step) =>
      (typeof step === "number" ? place?.element(step) : place?.property(step)) ?? null,
    prepareSchema(schema, false).place,
  );
}

describe("names and requires()", () => {
  const schema: JsonObject = {
    required: ["items"],
    properties: {
      items: { type: "array", items: { $ref: "#/$defs/one~1a", required: ["b"] } },
      pair: { prefixItems: [{ properties: { x: true } }, false], items: true },
      pick: { anyOf: [{ properties: { u: {} } }, { oneOf: [{ properties: { v: {} } }] }] },
      tags: { patternProperties: { "^t": { properties: { w: true } } }, additionalProperties: {} },
      never: false,
      wrong: { required: true, properties: [] },
      lost: { $ref: "#/nowhere" },
      loop: { $ref: "#/properties/loop" },
    },
    $defs: { "one/a": { required: ["a"], properties: { a: {}, again: { $ref: "#" } } } },
  };

  test.each<[(string | number)[], string[] | null]>([
    [
      ["items", 3],
      ["a", "again"],
    ],
    [["items", 3, "a"], []],
    [
      ["items", 0, "again", "items", 1],
      ["a", "again"],
    ],
    [["items", 0, "b"], null],
    [["pair", 0], ["x"]],
    [["pair", 1], null],
    [["pair", 2], []],
    [["pick"], ["u", "v"]],
    [["tags", "tea"], ["w"]],
    [["tags", "other"], []],
    [["never"], null],
    [["wrong"], []],
    [["lost"], []],
    [["loop"], []],
    [["a"], null],
  ])("at %j there are %j", (steps, names) => {
    const place = placeAt(schema, ...steps);
    expect(place === null ? null : [...place.names].sort()).toEqual(names);
  });

  test("any of the subschemas of an object may require a property", () => {
    expect(placeAt(schema)!.requires("items")).toBe(true);
    expect(placeAt(schema)!.requires("pair")).toBe(false);
    expect(placeAt(schema, "items", 0)!.requires("a")).toBe(true);
    expect(placeAt(schema, "items", 0)!.requires("b")).toBe(true);
    expect(placeAt(schema, "wrong")!.requires("a")).toBe(false);
  });
});

describe("accepts()", () => {
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
  ])("at %j of %j is %s", (path, value, accepted) => {
    expect(placeAt(schema, ...path)!.accepts(value)).toBe(accepted);
  });

  test("recognises a nullable array, a list of types, and a fraction", () => {
    const nullable: JsonObject = { type: ["array", "null"], items: { type: "integer" } };
    expect(placeAt(nullable)!.accepts([])).toBe(true);
    expect(placeAt(nullable)!.accepts("a")).toBe(false);
    expect(placeAt(nullable, 3)!.accepts(1e308)).toBe(true);
    expect(placeAt(nullable, 3)!.accepts(1.5)).toBe(false);
    expect(placeAt({ type: "integer", minimum: 9 })!.accepts(5.0)).toBe(true);
    expect(placeAt({ enum: [{ a: [1] }, null] })!.accepts({ a: [1.0] })).toBe(true);
    expect(placeAt({ type: "string", enum: [1, "a"] })!.accepts(1)).toBe(false);
  });
});

test("SchemaPlace of a boolean schema describes nothing", () => {
  expect(placeAt(true, "a")).toBeNull();
  expect(placeAt(true)!.accepts(1)).toBeNull();
});

test("SchemaPlace follows a recursive schema as deep as a value", () => {
  const tree = { properties: { child: { $ref: "#" }, name: { type: "string" } } };
  const down = Array.from({ length: 50 }, () => "child");
  expect(placeAt(tree, ...down, "name")!.accepts(1)).toBe(false);
});

test("SchemaPlace reads lists of schemas as the draft does", () => {
  const lists = { items: [{ type: "string" }], prefixItems: [{ type: "null" }] };
  expect(placeAt({ ...draft7, ...lists }, 0)!.accepts("a")).toBe(true);
  expect(placeAt(lists, 0)!.accepts("a")).toBe(false);
  expect(placeAt({ ...draft7, ...lists }, 1)).toBeNull();
});

test("SchemaPlace compiles a pattern with the flag u, else without, else ignores it", () => {
  const patternProperties = {
    "^\\p{L}$": { type: "string" },
    "^\\_\\@$": { type: "null" },
    "(": {},
  };
  expect(placeAt({ patternProperties }, "é")!.accepts("a")).toBe(true);
  expect(placeAt({ patternProperties }, "_@")!.accepts(null)).toBe(true);
  expect(placeAt({ patternProperties }, "(")).toBeNull();
});

test("SchemaPlace caches only the places of declared names", () => {
  const { place } = prepareSchema({ properties: { a: {} }, additionalProperties: {} }, false);
  expect(place.property("a")).toBe(place.property("a"));
  expect(place.property("b")).not.toBe(place.property("b"));
});

test("SchemaPlace follows a chain of thousands of references", () => {
  const $defs: JsonObject = { d20000: { type: "string", properties: { end: {} } } };
  for (let i = 0; i < 20_000; i++) $defs[`d${i}`] = { $ref: `#/$defs/d${i + 1}` };
  const place = placeAt({ $ref: "#/$defs/d0", $defs })!;
  expect(place.names).toEqual(new Set(["end"]));
  expect(place.accepts(1)).toBe(false);
});
