import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../contracts/json.ts";
import { callWarnings } from "./call-warnings.ts";

const text = { type: "string" };
const parameters = {
  type: "object",
  properties: {
    city: text,
    days: { type: "integer", minimum: 1 },
    unit: { $ref: "#/$defs/unit" },
    place: { type: "object", properties: { x: { type: "number" } }, additionalProperties: false },
  },
  required: ["city"],
  additionalProperties: false,
  $defs: { unit: { enum: ["celsius", "fahrenheit"] } },
};
const weather = { name: "weather", parameters };
const open = { name: "weather", parameters: { ...parameters, additionalProperties: true } };

const warningsOf = (expected: JsonObject, one: JsonObject = weather) =>
  callWarnings([{ name: "weather", arguments: expected }], [one]);

test.each<[string, JsonObject]>([
  ["plain values", { city: "Oslo", days: 3, unit: "celsius", place: { x: 1.5 } }],
  ["without what is required", { days: 3 }],
  ["alternatives", { city: { any_of: ["Oslo", { any_of: ["Christiania"] }] } }],
  ["arguments that may be left out", { days: { any_of: [1, "", null] } }],
  ["nothing but left out", { days: { any_of: [""] } }],
  ["alternatives below, which are not judged", { place: { y: { any_of: ["1"] } } }],
])("callWarnings() has none of %s", (_, expected) => {
  expect(warningsOf(expected)).toEqual([]);
});

test.each<[string, string, Json, string]>([
  ["an empty any_of", "city", { any_of: [] }, "any_of lists no value"],
  ["an empty any_of below", "place", { x: [{ any_of: [] }] }, "any_of lists no value"],
  ["an empty any_of in another", "city", { any_of: ["a", { any_of: [] }] }, "any_of lists no"],
  ["an any_of of a text", "city", { any_of: "Oslo" }, "any_of is no list"],
  ["an any_of of null below", "place", { x: { any_of: null } }, "any_of is no list"],
  ["an argument that is not there", "town", "Oslo", "the function has no such argument"],
  ["a value of another type", "days", "3", "#/days type: is string, not integer"],
  ["a value beyond a limit", "days", 0, "#/days minimum"],
  ["a value that a reference refuses", "unit", "kelvin", "#/unit"],
  ["one of several alternatives", "days", { any_of: [1, 2, "three", ""] }, "is string"],
  ["an object with what is not there", "place", { y: 1 }, "#/place"],
])("callWarnings() names %s", (_, argument, value, said) => {
  const [warning, ...others] = warningsOf({ [argument]: value });
  expect(others).toEqual([]);
  expect(warning).toMatch(/^expected call 1, weather, argument \w+: /);
  expect(warning).toContain(said);
});

test.each<[string, JsonObject]>([
  ["that takes others", open],
  [
    "that takes others by a pattern",
    { ...weather, parameters: { ...parameters, patternProperties: {} } },
  ],
  ["without parameters", { name: "weather" }],
  [
    "whose schema can't judge",
    { name: "weather", parameters: { properties: { town: { $ref: "#/properties/town" } } } },
  ],
])("callWarnings() takes any argument of a function %s", (_, one) => {
  expect(warningsOf({ town: "Oslo" }, one)).toEqual([]);
});

test("callWarnings() stops at the tenth", () => {
  const wrong = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`no${i}`, 1]));
  expect(warningsOf(wrong)).toHaveLength(10);
});

test("callWarnings() judges the first 200 values of a sample", () => {
  const days = { any_of: [...Array.from({ length: 200 }, (_, i) => i + 1), "last"] };
  expect(warningsOf({ days })).toEqual([]);
  expect(warningsOf({ days: { any_of: ["first", ...days.any_of] } })).toHaveLength(1);
});
