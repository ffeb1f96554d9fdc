import { expect, test } from "vitest";
import { aSample } from "./__fixtures__/build.ts";
import { checkSample, expectedSlots, sampleHead } from "./sample.ts";

const row = {
  id: "s1",
  user: "ada",
  session: 1,
  turns: [{ role: "user", content: "Hi" }],
  topics: { basic_info: ["name", "age"] },
  expected: { basic_info: { name: "Ada" } },
};
const many = (count: number) => Array.from({ length: count }, (_, i) => `f${i}`);
const deep = JSON.parse(`${'{"a":'.repeat(3000)}1${"}".repeat(3000)}`);

test("checkSample() accepts a complete row and adds empty tags", () => {
  const sample = { ...row, tags: {} };
  expect(checkSample({ ...row, more: 1 })).toEqual({ ok: true, value: { sample, warnings: [] } });
});

test.each([
  [null, /not a JSON object/],
  [[], /not a JSON object/],
  [{ ...row, id: "" }, /id must be/],
  [{ ...row, user: 5 }, /user must be a string of 1 to 200 characters/],
  [{ ...row, user: " " }, /user must be/],
  [{ ...row, user: "x".repeat(201) }, /user must be/],
  [{ ...row, session: null }, /session must be a number or a string/],
  [{ ...row, session: Number.POSITIVE_INFINITY }, /session must be/],
  [{ ...row, turns: [] }, /turns must be a list, not empty/],
  [{ ...row, turns: "Hi" }, /turns must be a list/],
  [{ ...row, turns: [...row.turns, { role: "user" }] }, /turns\[1\] must have a role/],
  [{ ...row, turns: Array(2_001).fill(row.turns[0]) }, /turns are 2001: more than 2000/],
  [{ ...row, topics: ["basic_info"] }, /topics must be an object/],
  [{ ...row, topics: undefined }, /topics must be an object/],
  [{ ...row, topics: {} }, /at least one topic/],
  [{ ...row, topics: { basic_info: "name" } }, /topics.basic_info must be a list/],
  [{ ...row, topics: { basic_info: [5] } }, /topics.basic_info must be a list/],
  [{ ...row, topics: { " ": [] } }, /name of a topic/],
  [{ ...row, topics: { a: many(1_001) } }, /1001 fields: more than 1000/],
  [{ ...row, topics: Object.fromEntries(many(101).map((f) => [f, []])) }, /topics are 101/],
  [{ ...row, expected: undefined }, /expected must be an object/],
  [{ ...row, expected: { basic_info: "Ada" } }, /expected.basic_info must be an object/],
  [{ ...row, expected: { basic_info: { name: {} } } }, /basic_info.name must be a string, number/],
  [{ ...row, expected: { basic_info: { name: [["Ada"]] } } }, /basic_info.name must be/],
  [{ ...row, expected: { basic_info: { "": 1 } } }, /name of a field of expected.basic_info/],
  [{ ...row, expected: { a: Object.fromEntries(many(1_001).map((f) => [f, 1])) } }, /1001 slots/],
  [{ ...row, expected: { a: { b: many(10_001) } } }, /10001 values/],
  [{ ...row, expected: deep }, /nested deeper/],
  [{ ...row, tags: { n: 1 } }, /tags must be/],
  [{ ...row, tags: [] }, /tags must be/],
])("checkSample() reports a malformed row %#", (malformed, reason) => {
  const checked = checkSample(malformed);
  expect(checked.ok ? "" : checked.error).toMatch(reason);
});

test.each([
  [
    { basic_info: { name: "Ada", size: 3 }, pets: { dog: "Rex" } },
    /in the prompt: basic_info.size, pets.dog$/,
  ],
  [{ a: Object.fromEntries(many(7).map((f) => [f, 1])) }, /a.f4 and 2 more$/],
  [{}, /nothing is expected/],
  [{ basic_info: { name: null, age: [] } }, /nothing is expected/],
  [{ toString: { a: 1 } }, /in the prompt: toString.a$/],
])("checkSample() warns about the expected slots %j", (expected, warning) => {
  const checked = checkSample({ ...row, expected });
  expect(checked.ok && checked.value.warnings).toEqual([expect.stringMatching(warning)]);
});

test("expectedSlots() returns the slots with a value", () => {
  const slots = expectedSlots({ expected: { a: { b: 25, c: null, d: [" "] }, e: {} } });
  expect([...slots].map(([topic, fields]) => [topic, [...fields]])).toEqual([
    ["a", [["b", ["25"]]]],
  ]);
});

test("sampleHead() groups and clusters by user, and replaces the row's own tags of these names", () => {
  const tags = { language: "en", cluster: "x" };
  expect(sampleHead(aSample({}, { session: 3, tags }))).toEqual({
    id: "s1",
    group: "ada",
    tags: { language: "en", user: "ada", session: "3", cluster: "ada" },
  });
});
