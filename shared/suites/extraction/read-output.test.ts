import { expect, test } from "vitest";
import { anAnswer } from "./__fixtures__/build.ts";
import { readOutput } from "./read-output.ts";

test.each([
  ['{"a": 1}', "clean", { a: 1 }],
  ['"text"', "clean", "text"],
  ['{"a": 1, "a": 2}', "clean", { a: 2 }],
  ['Sure:\n```json\n{"a": 1}\n```\nDone.', "recovered", { a: 1 }],
  ['```\n{"a": 1}', "recovered", { a: 1 }],
  ['The answer is {"a": [1]}.', "recovered", { a: [1] }],
  ["{'a': 1, 'b': [2,],}", "recovered", { a: 1, b: [2] }],
  ['{"a": [1, {"b": "cut o', "recovered", { a: [1, { b: "cut o" }] }],
  ['{"a": "has ```\\n inside", "b": 1', "recovered", { a: "has ```\n inside", b: 1 }],
  ["I can't do that", "failed", undefined],
  ["{", "failed", undefined],
  ["[", "failed", undefined],
])("readOutput() reads %j as %s", (output, parse, value) => {
  expect(readOutput(anAnswer(output))).toMatchObject({ status: "answered", parse });
  expect(readOutput(anAnswer(output)).value).toEqual(value);
});

test.each([
  [anAnswer("", {}), "empty"],
  [anAnswer(" \n"), "empty"],
  [anAnswer(null), "empty"],
  [anAnswer('{"a": 1}', { refusal: "no" }), "refused"],
  [anAnswer(null, { error: { class: "timeout", message: "" } }), "error"],
])("readOutput() of answer %# has a status of its own", (answer, status) => {
  expect(readOutput(answer)).toMatchObject({ status, parse: "failed", value: undefined });
});

test("readOutput() marks what was cut off at the token limit", () => {
  expect(readOutput(anAnswer('{"a": 1', { finishReason: "length" })).truncated).toBe(true);
});

test.each([
  ["deep nesting", "[".repeat(10_000) + "]".repeat(10_000)],
  ["deep nesting that never closes", '{"a":'.repeat(10_000)],
  ["5 MB without a bracket", "x".repeat(5e6)],
  ["5 MB of an open string", `{"a": "${"x".repeat(5e6)}`],
  ["5 MB of quotes", `{"a": ${'"x '.repeat(1.7e6)}`],
  ["blank lines", `${"\t".repeat(1000)}\n`.repeat(1000)],
])("readOutput() gives up on %s within a second", (_, output) => {
  expect(readOutput(anAnswer(output)).parse).toBe("failed");
});
