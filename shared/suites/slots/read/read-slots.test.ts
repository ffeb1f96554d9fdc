import { expect, test } from "vitest";
import { anAnswer } from "../__fixtures__/build.ts";
import { readLines, readSlots, splitValues } from "./read-slots.ts";

const failed = { class: "timeout", message: "no answer" } as const;

test.each([
  ['{"a": {"b": "c"}}', "clean", 1],
  ['Sure:\n```json\n{"a": {"b": "c"}}\n```', "recovered", 1],
  ['{"a": {"b": "c"', "recovered", 1],
  ["{}", "clean", 0],
  ['["a"]', "clean", 0],
  ["a::b::c", "failed", 0],
])("readSlots() reads JSON %j as %s with %d topic(s)", (output, parse, topics) => {
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
])("readSlots() reads lines %j as %s with %d topic(s)", (output, parse, topics) => {
  const read = readSlots(anAnswer(output, { finishReason: "length" }), "lines");
  expect(read).toMatchObject({ status: "answered", parse, truncated: true });
  expect(read.slots.size).toBe(topics);
});

test.each([
  ["json", 'Sure, <think>{"x": {"y": "z"}}?</think>\n{"a": {"b": "c"}}'],
  ["json", '<think>Hm.</think>or {"x": {"y": "z"}}\n</think>\n{"a": {"b": "c"}}'],
  ["lines", "- <think>x::y::z</think> a::b::c"],
  ["lines", "a::b::c <think>x::y::z</think>"],
] as const)("readSlots() in the format %s ignores the thoughts in %j", (format, output) => {
  const { slots } = readSlots(anAnswer(output), format);
  expect(slots).toEqual(new Map([["a", new Map([["b", ["c"]]])]]));
});

test.each([
  [anAnswer(" "), "empty"],
  [anAnswer(null), "empty"],
  [anAnswer('{"a": {"b": "c"}}', { refusal: "no" }), "refused"],
  [anAnswer(null, { error: failed }), "error"],
])("readSlots() reads no slots from answer %# in either format", (answer, status) => {
  for (const format of ["json", "lines"] as const) {
    const { slots, ...read } = readSlots(answer, format);
    expect(read).toEqual({ status, parse: "failed", truncated: false });
    expect(slots.size).toBe(0);
  }
});

const plain = (text: string) => {
  const { slots, ...lines } = readLines(text);
  return { slots: [...slots].map(([topic, fields]) => [topic, [...fields]]), ...lines };
};

test("readLines() reads topic, field and values, and skips blank lines", () => {
  expect(plain("basic_info::age::34\r\n\n interests :: food :: ramen (hot, mild), tea\n")).toEqual({
    slots: [
      ["basic_info", [["age", ["34"]]]],
      ["interests", [["food", ["ramen (hot, mild)", "tea"]]]],
    ],
    slotLines: 2,
    otherLines: 0,
  });
});

test.each([
  ["- a::b::c", 1],
  ["* a::b::c", 1],
  ["12. a::b::c", 1],
  ["3) a::b::c", 1],
  ["-a::b::c", 1],
  ["a::b::", 1],
  ["a::b", 0],
  ["a:b:c", 0],
  ["::b::c", 0],
  ["- ::b::c", 0],
  ["a:: ::c", 0],
  ["Here you are:", 0],
])("readLines() on %j finds %d slot line(s)", (line, slotLines) => {
  expect(readLines(line)).toMatchObject({ slotLines, otherLines: 1 - slotLines });
});

test("readLines() strips list marks, keeps a third ::, and merges lines with the same slot", () => {
  expect(plain("- a::b::c::d\n2. a::b::e, e\na::g::").slots).toEqual([
    ["a", [["b", ["c::d", "e", "e"]]]],
  ]);
});

test.each([
  ["a, b; c", ["a", "b", "c"]],
  [" a ,, ;b;", ["a", "b"]],
  ["", []],
  ["ramen (hot, spicy; salty), tea", ["ramen (hot, spicy; salty)", "tea"]],
  ["[a, b], {c; d}", ["[a, b]", "{c; d}"]],
  ["f(a, [b, c]), d", ["f(a, [b, c])", "d"]],
  ["so :( sad, glad", ["so :( sad", "glad"]],
  ["1) a, 2) b", ["1) a", "2) b"]],
  ["(a [b, c), d", ["(a [b, c)", "d"]],
  ["(a, b], c) d, e", ["(a, b], c) d", "e"]],
  ["((a, b), c", ["((a, b)", "c"]],
])("splitValues(%j) is %j", (text, values) => {
  expect(splitValues(text)).toEqual(values);
});

test.each(["(", ")", "([", "(]", "a,", "(,)"])("splitValues() finishes on 100 kB of %j", (part) => {
  expect(splitValues(part.repeat(1e5 / part.length)).length).toBeGreaterThan(0);
});
