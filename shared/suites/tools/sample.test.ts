import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../contracts/json.ts";
import { callWarnings, checkSample, levels } from "./sample.ts";
import { toolFunction, toolName } from "./sample-parts.ts";

const tool = (name: string) => ({ type: "function", function: { name, parameters: {} } });
const row = {
  id: "a",
  difficulty: "easy",
  messages: [{ role: "user", content: "Weather in Oslo?" }],
  tools: [tool("get_weather")],
  expected_calls: [{ name: "get_weather", arguments: { city: "Oslo" } }],
};

test("checkSample() accepts a row of each level, and warns if the level does not fit", () => {
  const warnings = levels.map((difficulty) => {
    const checked = checkSample({ ...row, difficulty });
    return checked.ok ? checked.value.warnings : checked.error;
  });
  expect(warnings).toEqual([
    [],
    ["difficulty medium does not fit 1 tools and 1 calls"],
    ["difficulty hard does not fit 1 tools and 1 calls"],
  ]);
});

test("checkSample() warns about an expected call that no answer can match", () => {
  const checked = checkSample({
    ...row,
    expected_calls: [{ name: "get_weather", arguments: { city: { any_of: [] } } }],
  });
  expect(checked.ok ? checked.value.warnings : checked.error).toEqual([
    "expected call 1, get_weather, argument city: any_of lists no value, so no answer can match it",
  ]);
});

test.each([
  ["no level", { difficulty: "simple" }, "difficulty must be easy, medium or hard"],
  ["no messages", { messages: [] }, /^messages must be a list/],
  ["a message without content", { messages: [{ role: "user" }] }, /^messages must be a list/],
  ["tools that are not a list", { tools: {} }, /^tools must be a list/],
  ["a tool without a name", { tools: [{ type: "function" }] }, "every tool needs function.name"],
  ["a duplicate tool", { tools: [tool("x"), tool("x")] }, "two tools have the same name"],
  ["a call without arguments", { expected_calls: [{ name: "x" }] }, /^expected_calls must be/],
  [
    "a call of an unknown tool",
    { expected_calls: [{ name: "ping", arguments: {} }] },
    'expected_calls names "ping", which is not a tool of the sample',
  ],
  ["tags that are not texts", { tags: { level: 1 } }, "tags must be an object of strings"],
])("checkSample() refuses %s", (_, change, error) => {
  const checked = checkSample({ ...row, ...change });
  expect(checked.ok ? "" : checked.error).toMatch(error);
});

test("checkSample() refuses arguments that are nested too deeply", () => {
  let deep: unknown = "x";
  for (let i = 0; i < 1_000; i++) deep = { deep };
  const checked = checkSample({
    ...row,
    expected_calls: [{ name: "get_weather", arguments: { deep } }],
  });
  expect(checked.ok ? "" : checked.error).toMatch(/nested deeper/);
});

test("toolFunction() reads a definition with and without its wrapper", () => {
  expect([toolName(tool("ping")), toolName({ name: "ping" }), toolName({})]).toEqual([
    "ping",
    "ping",
    null,
  ]);
  expect(toolFunction(tool("ping"))).toEqual({ name: "ping", parameters: {} });
});

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
  ["a missing required argument", { days: 3 }],
  ["alternatives", { city: { any_of: ["Oslo", { any_of: ["Christiania"] }] } }],
  ["optional arguments", { days: { any_of: [1, "", null] } }],
  ["an argument that must be absent", { days: { any_of: [""] } }],
  ["nested alternatives, which are not validated", { place: { y: { any_of: ["1"] } } }],
])("callWarnings() does not warn about %s", (_, expected) => {
  expect(warningsOf(expected)).toEqual([]);
});

test.each<[string, string, Json, string]>([
  ["an empty any_of", "city", { any_of: [] }, "any_of lists no value"],
  ["a nested empty any_of", "place", { x: [{ any_of: [] }] }, "any_of lists no value"],
  ["an empty any_of in another", "city", { any_of: ["a", { any_of: [] }] }, "any_of lists no"],
  ["an any_of that is a text", "city", { any_of: "Oslo" }, "any_of is not a list"],
  ["a nested any_of that is null", "place", { x: { any_of: null } }, "any_of is not a list"],
  ["an unknown argument", "town", "Oslo", "the function has no such argument"],
  ["a value of a wrong type", "days", "3", "#/days type: is string, not integer"],
  ["a value beyond a limit", "days", 0, "#/days minimum"],
  ["a value that a reference refuses", "unit", "kelvin", "#/unit"],
  ["one of several alternatives", "days", { any_of: [1, 2, "three", ""] }, "is string"],
  ["an object with an unknown property", "place", { y: 1 }, "#/place"],
])("callWarnings() warns about %s", (_, argument, value, text) => {
  const [warning, ...others] = warningsOf({ [argument]: value });
  expect(others).toEqual([]);
  expect(warning).toMatch(/^expected call 1, weather, argument \w+: /);
  expect(warning).toContain(text);
});

test.each<[string, JsonObject]>([
  ["that allows additional properties", open],
  ["with patternProperties", { ...weather, parameters: { ...parameters, patternProperties: {} } }],
  ["without parameters", { name: "weather" }],
  [
    "whose schema can't validate",
    { name: "weather", parameters: { properties: { town: { $ref: "#/properties/town" } } } },
  ],
])("callWarnings() accepts any argument of a function %s", (_, one) => {
  expect(warningsOf({ town: "Oslo" }, one)).toEqual([]);
});

test("callWarnings() stops after ten warnings", () => {
  const wrong = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`no${i}`, 1]));
  expect(warningsOf(wrong)).toHaveLength(10);
});

test("callWarnings() validates only the first 200 values of a sample", () => {
  const days = { any_of: [...Array.from({ length: 200 }, (_, i) => i + 1), "last"] };
  expect(warningsOf({ days })).toEqual([]);
  expect(warningsOf({ days: { any_of: ["first", ...days.any_of] } })).toHaveLength(1);
});
