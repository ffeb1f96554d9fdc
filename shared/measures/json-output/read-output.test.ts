import { expect, test } from "vitest";
import { type Answer, emptyAnswer } from "../../contracts/answer.ts";
import { longAnswers } from "./__fixtures__/long-answers.ts";
import { readOutput } from "./read-output.ts";

const anAnswer = (output: string | null, part: Partial<Answer> = {}): Answer => ({
  ...emptyAnswer,
  output,
  attempts: 1,
  ...part,
});

test.each([
  ['{"a": 1}', "clean", { a: 1 }],
  [' \n{"a": 1}\r\n', "clean", { a: 1 }],
  ['"text"', "clean", "text"],
  ["null", "clean", null],
  ["{}", "clean", {}],
  ['{"a": 1, "a": 2}', "clean", { a: 2 }],
  ['{"a": 1e999}', "clean", { a: Number.MAX_VALUE }],
  ['{"a": [-1E+999]}', "clean", { a: [-Number.MAX_VALUE] }],
  [`{"a": 1${"0".repeat(400)}}`, "clean", { a: Number.MAX_VALUE }],
  [`{"${"k".repeat(600)}": 1}`, "clean", { [`${"k".repeat(499)}…`]: 1 }],
  ['{"a": "\ud800"}', "clean", { a: "\ud800" }],
  ['{"a": "\\ud800"}', "clean", { a: "\ud800" }],
  ['{"a": "```\\ncode\\n```"}', "clean", { a: "```\ncode\n```" }],
  ['\ufeff{"a": 1}', "recovered", { a: 1 }],
  ['\ufeff```json\n{"a": 1}\n```', "recovered", { a: 1 }],
  ['Sure:\n```json\n{"a": 1}\n```\nDone.', "recovered", { a: 1 }],
  ['```json\r\n{"a": 1}\r\n```\r\n', "recovered", { a: 1 }],
  ['```json {"a": 1} ```', "recovered", { a: 1 }],
  ['```\n{"a": 1}', "recovered", { a: 1 }],
  ["```\n{}\n```", "recovered", {}],
  ['Note [1]:\n```json\n{"a": 1}\n```', "recovered", { a: 1 }],
  ['The answer is {"a": [1]}.', "recovered", { a: [1] }],
  ['{"a": 1}\n{"a": 2}', "recovered", { a: 1 }],
  ["{'a': 1, 'b': [2,],}", "recovered", { a: 1, b: [2] }],
  [`{'a': "it's", 'b': 1}`, "recovered", { a: "it's", b: 1 }],
  ["{a: None, b: True}", "recovered", { a: null, b: true }],
  [`{'a': 1, 'b': 'x } y', 'c': [1,2]}`, "recovered", { a: 1, b: "x } y", c: [1, 2] }],
  ["{“a”: “x } y”, “b”: 2}", "recovered", { a: "x } y", b: 2 }],
  ['{"a": 1,}\n\nHope this helps!', "recovered", { a: 1 }],
  ['{"a": [1, 2}\n\nHope this helps!', "recovered", { a: [1, 2] }],
  ["[{'a': 1}, {'a': 2}]\nThat is all.", "recovered", [{ a: 1 }, { a: 2 }]],
  ['As in [1], the answer is {"a": 1}.', "recovered", { a: 1 }],
  ["As in [1], the answer is {'a': 1}.", "recovered", { a: 1 }],
  ['Using {schema}: {"a": 1}', "recovered", { a: 1 }],
  ["From [Smith]: {'a': 1}", "recovered", { a: 1 }],
  ['Of {} comes {"a": 1}', "recovered", { a: 1 }],
  ["The tags are [1, 2] (see {b}).", "recovered", [1, 2]],
  ['In [3] there is [{"a": 1}].', "recovered", [{ a: 1 }]],
  ['```sh\nls [a-z]*\n```\nso {"a": 1}', "recovered", { a: 1 }],
  ['```py\nx = {1: 2}\n```\n```json\n{"a": 1}\n```', "recovered", { a: 1 }],
  ['{"b": 2}\n```json\n{"a": 1}\n```', "recovered", { a: 1 }],
  ['{"a": 1 "b": 2}', "recovered", { a: 1, b: 2 }],
  ['{"a": 1, "a": 2,}', "recovered", { a: 2 }],
  ['{"a": NaN, "b": 1}', "recovered", { a: "NaN", b: 1 }],
  ['{"a": "x\ny"}', "recovered", { a: "x\ny" }],
  ['{"a": 1 // one\n}', "recovered", { a: 1 }],
  ['{"a": [1, 2}', "recovered", { a: [1, 2] }],
  ['{"a": [1, {"b": "cut o', "recovered", { a: [1, { b: "cut o" }] }],
  ['{"a": 1, "b', "recovered", { a: 1 }],
  ['{"a": 1, "b":', "recovered", { a: 1 }],
  ['{"a": "NO. 3, SHAH ALAM,', "recovered", { a: "NO. 3, SHAH ALAM," }],
  ['{"a": "a/b/', "recovered", { a: "a/b/" }],
  ['{"a": [{"b": 1}, {"b', "recovered", { a: [{ b: 1 }] }],
  ['```json\n{"a": 1, "b": [', "recovered", { a: 1 }],
  ['As in [1], the answer is {"a": {"b": 1}, "c": nul', "recovered", { a: { b: 1 } }],
  ['[1] {"a": {"b": ', "recovered", [1]],
  // Truncated and invalid: the repair adds nothing here, either.
  ["{'a': 1, 'b':", "recovered", { a: 1 }],
  ["{a: 1, b", "recovered", { a: 1 }],
  [`{"a": [1, {"b": 2,},], "c`, "recovered", { a: [1, { b: 2 }] }],
  ["{a: 1, b: ", "recovered", { a: 1 }],
  [`{"a": 1, // the first\n "b": `, "recovered", { a: 1 }],
  [`{"a": /* one */ 1, "b": /* the sec`, "recovered", { a: 1 }],
  [
    "{'a': 'its } end', 'b': [{'c': True}, {'d': Fal",
    "recovered",
    { a: "its } end", b: [{ c: true }] },
  ],
  ["{'a': 'x, y,", "recovered", { a: "x, y," }],
  ['{"a": "x\ny", "b": -', "recovered", { a: "x\ny" }],
  ['{"a": "x\ny/', "recovered", { a: "x\ny/" }],
  ["{'a': {'b': ", "failed", undefined],
  ['{"a": {"b": ', "failed", undefined],
  ['{"compa', "failed", undefined],
  ['{"a": "x\\u00', "recovered", { a: "x" }],
  ['{"a": [1, 2', "recovered", { a: [1, 2] }],
  ['{"a": "has ```\\n inside", "b": 1', "recovered", { a: "has ```\n inside", b: 1 }],
  ["I can't do that", "failed", undefined],
  ["```\n5\n```", "failed", undefined],
  ["{", "failed", undefined],
  ["[", "failed", undefined],
  ["{,}", "failed", undefined],
  ["[undefined", "recovered", [null]],
])("readOutput() reads %j as %s", (output, parse, value) => {
  const read = readOutput(anAnswer(output));
  expect(read).toEqual({ status: "answered", parse, truncated: false, value });
});

test("readOutput() keeps a property named __proto__", () => {
  const { value } = readOutput(anAnswer('{"__proto__": 1}'));
  expect(JSON.stringify(value)).toBe('{"__proto__":1}');
});

test.each([
  [anAnswer("", {}), "empty"],
  [anAnswer(" \n"), "empty"],
  [anAnswer(null), "empty"],
  [anAnswer('{"a": 1}', { refusal: "no" }), "refused"],
  [anAnswer(null, { error: { class: "timeout", message: "" } }), "error"],
])("readOutput() of answer %# has the status %s", (answer, status) => {
  expect(readOutput(answer)).toMatchObject({ status, parse: "failed", value: undefined });
});

test.each([
  ['{"a": 1', "length", true, "recovered"],
  ['{"a": 1}', "length", true, "clean"],
  ["", "length", true, "failed"],
  ['{"a": 1', "stop", false, "recovered"],
  ['{"a": 1', null, false, "recovered"],
])(
  "readOutput() of %j that ended by %s is truncated: %s",
  (output, finishReason, truncated, parse) => {
    expect(readOutput(anAnswer(output, { finishReason }))).toMatchObject({ truncated, parse });
  },
);

test.each(longAnswers)("readOutput() of %s of about 10,000 characters", (_, output, parse) => {
  expect(readOutput(anAnswer(output)).parse).toBe(parse);
});

const fiveMegabytes = "x".repeat(5e6);

test.each([
  ["deep nesting", "[".repeat(10_000) + "]".repeat(10_000), "failed"],
  ["deep objects", `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`, "failed"],
  ["deep nesting that never closes", '{"a":'.repeat(10_000), "failed"],
  ["nesting at the limit", "[".repeat(500) + "]".repeat(500), "clean"],
  ["5 MB", JSON.stringify({ a: fiveMegabytes }), "clean"],
  ["5 MB in prose", `Sure: {"a": "${fiveMegabytes}"}.`, "recovered"],
  ["5 MB without a bracket", fiveMegabytes, "failed"],
  ["5 MB of an open string", `{"a": "${fiveMegabytes}`, "recovered"],
  ["5 MB of quotes", `{"a": ${'"x '.repeat(1.7e6)}`, "failed"],
  ["5 MB of backslashes", `{"a": "${"\\".repeat(5e6)}`, "recovered"],
  ["5 MB of braces", "{".repeat(5e6), "failed"],
  ["5 MB of braces in prose", "{b} ".repeat(1.25e6), "failed"],
  ["5 MB of apostrophes", `{${"'a': 'it's', ".repeat(350_000)}`, "failed"],
  ["5 MB of closing brackets", `{${"]".repeat(5e6)}`, "failed"],
  ["5 MB of brackets that cross", "[{]".repeat(1.7e6), "recovered"],
  ["5 MB of code fences", "```\n[1]\n```\n".repeat(400_000), "recovered"],
  ["blank lines", `${"\t".repeat(1000)}\n`.repeat(1000), "empty"],
])("readOutput() of %s terminates", (_, output, parse) => {
  const read = readOutput(anAnswer(output));
  expect(read.status === "empty" ? "empty" : read.parse).toBe(parse);
});

test("readOutput() rejects more values than fit into memory during scoring", () => {
  const rows = (count: number) => `[${Array.from({ length: count }, () => "[1]").join()}]`;
  expect(readOutput(anAnswer(rows(49_000))).parse).toBe("clean");
  expect(readOutput(anAnswer(rows(51_000)))).toMatchObject({ parse: "failed", value: undefined });
  expect(readOutput(anAnswer(`Sure: ${rows(51_000)}`)).parse).toBe("failed");
});
