import { expect, test } from "vitest";
import { anAnswer } from "../__fixtures__/build.ts";
import { readSlots } from "./read-slots.ts";

const failed = { class: "timeout", message: "no answer" } as const;

test.each([
  ['{"a": {"b": "c"}}', "clean", 1],
  ['Sure:\n```json\n{"a": {"b": "c"}}\n```', "recovered", 1],
  ['{"a": {"b": "c"', "recovered", 1],
  ["{}", "clean", 0],
  ['["a"]', "clean", 0],
  ["a::b::c", "failed", 0],
])("readSlots() of JSON %j is %s with %d topic(s)", (output, parse, topics) => {
  const read = readSlots(anAnswer(output), "json");
  expect(read).toMatchObject({ status: "answered", parse, truncated: false });
  expect(read.slots.size).toBe(topics);
});

test.each([
  ["a::b::c", "clean", 1],
  ["Stored:\n- a::b::c", "recovered", 1],
  ["NONE", "clean", 0],
  ["**None.**", "clean", 0],
  ["none of it", "failed", 0],
  ['{"a": {"b": "c"}}', "failed", 0],
])("readSlots() of lines %j is %s with %d topic(s)", (output, parse, topics) => {
  const read = readSlots(anAnswer(output, { finishReason: "length" }), "lines");
  expect(read).toMatchObject({ status: "answered", parse, truncated: true });
  expect(read.slots.size).toBe(topics);
});

test.each([
  [anAnswer(" "), "empty"],
  [anAnswer(null), "empty"],
  [anAnswer('{"a": {"b": "c"}}', { refusal: "no" }), "refused"],
  [anAnswer(null, { error: failed }), "error"],
])("readSlots() of answer %# stores nothing, in either format", (answer, status) => {
  for (const format of ["json", "lines"] as const) {
    const { slots, ...read } = readSlots(answer, format);
    expect(read).toEqual({ status, parse: "failed", truncated: false });
    expect(slots.size).toBe(0);
  }
});
