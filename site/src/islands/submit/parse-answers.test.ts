import { expect, it } from "vitest";
import { parseAnswers } from "./parse-answers.ts";

it("parseAnswers() reads JSON lines and knows the line of each", () => {
  const text = '\uFEFF{"id":"a","output":"1"}\r\n\r\n{"id":"b","output":null}\n';
  expect(parseAnswers(text)).toEqual({
    answers: [
      { id: "a", output: "1" },
      { id: "b", output: null },
    ],
    lines: [1, 3],
    errors: [],
  });
});

it.each([
  ["", ["the file has no lines"]],
  ["\n \n", ["the file has no lines"]],
  ['{"id":"a"}\nnot json\n[1]', ["line 2 must be a JSON object", "line 3 must be a JSON object"]],
])("parseAnswers(%j) says what can't be sent", (text, errors) => {
  expect(parseAnswers(text).errors).toEqual(errors);
});

it("parseAnswers() stops after the first errors of a file that is something else", () => {
  expect(parseAnswers("x\n".repeat(1_000)).errors).toHaveLength(5);
});
