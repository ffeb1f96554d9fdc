import { expect, test } from "vitest";
import type { JsonObject } from "../../contracts/json.ts";
import { type SchemaPlace, schemaPlace } from "./schema-place.ts";

const schema: JsonObject = {
  required: ["items", 5],
  properties: {
    items: { type: "array", items: { $ref: "#/$defs/one~1a", required: ["b"] } },
    pair: { prefixItems: [{ properties: { x: true } }, false], items: true },
    pick: { anyOf: [{ properties: { u: {} } }, { oneOf: [{ properties: { v: {} } }] }] },
    tags: { patternProperties: { "^t": { properties: { w: true } } }, additionalProperties: {} },
    ...{ never: false, wrong: { required: true, properties: [] }, lost: { $ref: "#/nowhere" } },
    loop: { $ref: "#/properties/loop" },
  },
  $defs: { "one/a": { required: ["a"], properties: { a: {}, again: { $ref: "#" } } } },
};

const at = (steps: readonly (string | number)[]) =>
  steps.reduce<SchemaPlace | null>(
    (place, step) =>
      (typeof step === "number" ? place?.element(step) : place?.property(step)) ?? null,
    schemaPlace(schema),
  );

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
])("schemaPlace() at %j names %j", (steps, names) => {
  const place = at(steps);
  expect(place === null ? null : [...place.names].sort()).toEqual(names);
});

test("requires() takes what any of the subschemas of an object lists", () => {
  expect(at([])!.requires("items")).toBe(true);
  expect(at([])!.requires("pair")).toBe(false);
  expect(at(["items", 0])!.requires("a")).toBe(true);
  expect(at(["items", 0])!.requires("b")).toBe(true);
  expect(at(["wrong"])!.requires("a")).toBe(false);
});

test("schemaPlace() of a boolean schema foresees nothing", () => {
  expect(schemaPlace(true).property("a")).toBeNull();
  expect(schemaPlace(schema)).toBe(schemaPlace(schema));
});

test("schemaPlace() follows a chain of thousands of references", () => {
  const $defs: JsonObject = { d20000: { properties: { end: {} } } };
  for (let i = 0; i < 20_000; i++) $defs[`d${i}`] = { $ref: `#/$defs/d${i + 1}` };
  expect(schemaPlace({ $ref: "#/$defs/d0", $defs }).names).toEqual(new Set(["end"]));
});
