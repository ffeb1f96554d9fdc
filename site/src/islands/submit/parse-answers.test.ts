import { expect, it } from "vitest";
import { parseAnswers } from "./parse-answers.ts";

const two = [
  { id: "a", output: "1" },
  { id: "b", output: null },
];

it.each([
  ["JSON lines", '\uFEFF{"id":"a","output":"1"}\r\n\r\n{"id":"b","output":null}\n', [1, 3], "line"],
  ["a JSON array", `\uFEFF ${JSON.stringify(two, null, 2)}\n`, [1, 2], "answer"],
])("parseAnswers() reads %s with the position of each answer", (_, text, lines, item) => {
  expect(parseAnswers(text)).toEqual({ answers: two, lines, item, errors: [] });
});

it.each([
  ["", ["the file has no lines"]],
  ["\n \n", ["the file has no lines"]],
  ["[]", ["the file has no answers"]],
  ['{"id":"a"}\nnot json\n[1]', ["lines 2, 3 must be JSON objects"]],
  ['[{"id":"a"}, 1]', ["answer 2 must be a JSON object"]],
  ['[{"id":"a"}', ["line 1 must be a JSON object"]],
])("parseAnswers(%j) lists what can't be sent", (text, errors) => {
  expect(parseAnswers(text).errors).toEqual(errors);
});

it("parseAnswers() names only the first bad lines of another kind of file", () => {
  expect(parseAnswers("x\n".repeat(1_000)).errors).toEqual([
    "lines 1, 2, 3, 4, 5 and 995 more must be JSON objects",
  ]);
});
