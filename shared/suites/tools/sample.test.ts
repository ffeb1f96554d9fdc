import { expect, test } from "vitest";
import { checkSample, levels, toolFunction, toolName } from "./sample.ts";

const tool = (name: string) => ({ type: "function", function: { name, parameters: {} } });
const row = {
  id: "a",
  difficulty: "easy",
  messages: [{ role: "user", content: "Weather in Oslo?" }],
  tools: [tool("get_weather")],
  expected_calls: [{ name: "get_weather", arguments: { city: "Oslo" } }],
};

test("checkSample() takes a row of each level, and warns of one that does not fit", () => {
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

test("checkSample() warns of an expected call that no answer can meet", () => {
  const checked = checkSample({
    ...row,
    expected_calls: [{ name: "get_weather", arguments: { city: { any_of: [] } } }],
  });
  expect(checked.ok ? checked.value.warnings : checked.error).toEqual([
    "expected call 1, get_weather, argument city: any_of lists no value, so that no answer can meet it",
  ]);
});

test.each([
  ["no level", { difficulty: "simple" }, "difficulty must be easy, medium or hard"],
  ["no messages", { messages: [] }, /^messages must be a list/],
  ["a message without content", { messages: [{ role: "user" }] }, /^messages must be a list/],
  ["no list of tools", { tools: {} }, /^tools must be a list/],
  ["a tool without a name", { tools: [{ type: "function" }] }, "every tool needs function.name"],
  ["a tool twice", { tools: [tool("x"), tool("x")] }, "two tools have the same name"],
  ["a call without arguments", { expected_calls: [{ name: "x" }] }, /^expected_calls must be/],
  [
    "a call of a tool that is not there",
    { expected_calls: [{ name: "ping", arguments: {} }] },
    'expected_calls names "ping", which is no tool of the sample',
  ],
  ["tags that are no texts", { tags: { level: 1 } }, "tags must be an object of strings"],
])("checkSample() refuses %s", (_, change, error) => {
  const checked = checkSample({ ...row, ...change });
  expect(checked.ok ? "" : checked.error).toMatch(error);
});

test("checkSample() refuses arguments without a bottom", () => {
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
