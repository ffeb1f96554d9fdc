import { expect, it } from "vitest";
import { emptyAnswer } from "../../../contracts/answer.ts";
import { toolsOptionsSchema } from "../options.ts";
import { checkSample, type ToolsSample } from "../sample.ts";
import { scoreTools } from "../score/score.ts";
import { fieldTable } from "./field-table.ts";

const tool = (name: string) => ({ type: "function", function: { name, parameters: {} } });
const checked = checkSample({
  id: "a",
  difficulty: "hard",
  messages: [{ role: "user", content: "Go." }],
  tools: [tool("ping"), tool("say"), tool("stop")],
  expected_calls: [
    { name: "say", arguments: { text: "hi", loud: true } },
    { name: "ping", arguments: {} },
    { name: "stop", arguments: {} },
  ],
});
const sample = (checked.ok ? checked.value.sample : null) as ToolsSample;

it("fieldTable reports arguments that are not an object as malformed, not as missing", () => {
  const calls = ["ping", "say"].map((name) => ({ name, arguments: "{" }));
  const answer = { ...emptyAnswer, output: JSON.stringify(calls) };
  const score = scoreTools(sample, answer, toolsOptionsSchema.parse({ toolMode: "prompt" }));
  const parts = fieldTable.rows({ sample, answer, score }).map((row) => fieldTable.parts!.of(row));
  expect(parts.map(({ path, patterns }) => [path, patterns])).toEqual([
    ["say(text)", ["malformedArguments"]],
    ["say(loud)", ["malformedArguments"]],
    ["ping()", ["malformedArguments"]],
    ["stop()", ["missingCall"]],
  ]);
});

it("fieldTable has one row per argument of paired calls", () => {
  const calls = [
    { name: "ping", arguments: {} },
    { name: "say", arguments: { text: "ho", more: 1 } },
  ];
  const answer = { ...emptyAnswer, output: JSON.stringify(calls) };
  const options = toolsOptionsSchema.parse({ toolMode: "prompt" });
  const score = scoreTools(sample, answer, options);
  const rows = fieldTable.rows({ sample, answer, score });
  const cells = rows.map(({ call, function: name, argument, category, score: worth }) => [
    call,
    name,
    argument,
    category,
    worth,
  ]);
  expect(cells).toEqual([
    [0, "say", "text", "wrong", 0],
    [0, "say", "loud", "missing", 0],
    [0, "say", "more", "surplus", 0],
    [1, "ping", null, "met", 1],
    [2, "stop", null, "missing", 0],
  ]);
  expect(rows[0]).toMatchObject({ outcome: "wrong arguments", expected: "hi", predicted: "ho" });
});
