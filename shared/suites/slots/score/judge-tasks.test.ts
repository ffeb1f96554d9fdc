import fc from "fast-check";
import { expect, test } from "vitest";
import { answerSchema } from "../../../contracts/answer.ts";
import { anAnswer, aRecord, aSample } from "../__fixtures__/build.ts";
import { defaultOptions } from "../options.ts";
import { hasJudgments, judgeTasks, judgmentName } from "./judged-slots.ts";

const sample = aSample({ basic_info: { name: "Ada", age: 36 }, interests: { food: ["tea"] } });
const tasks = (answer: Parameters<typeof anAnswer>, format: "json" | "lines" = "json") =>
  judgeTasks(sample, anAnswer(...answer), { ...defaultOptions, format });

test("judgeTasks() asks about each expected slot that is stored, with the session and both values", () => {
  const output = { interests: { food: ["cake", 5], sport: "golf" }, basic_info: { age: 37 } };
  const asked = tasks([JSON.stringify(output)]);
  expect(asked.map(({ name, judge, material }) => ({ name, id: judge.id, material }))).toEqual([
    {
      name: "slot_accuracy/basic_info::age",
      id: "slot_accuracy",
      material: {
        turns: sample.turns,
        topic: "basic_info",
        field: "age",
        expected: ["36"],
        predicted: ["37"],
      },
    },
    {
      name: "slot_accuracy/interests::food",
      id: "slot_accuracy",
      material: {
        turns: sample.turns,
        topic: "interests",
        field: "food",
        expected: ["tea"],
        predicted: ["cake", "5"],
      },
    },
  ]);
});

test("judgeTasks() reads lines in the format lines only", () => {
  const lines = "basic_info::name::Ada Lovelace";
  expect(tasks([lines], "lines").map(({ name }) => name)).toEqual([
    "slot_accuracy/basic_info::name",
  ]);
  expect(tasks([lines])).toEqual([]);
});

const stored = JSON.stringify(sample.expected);

test.each([
  ["a failed request", [stored, { error: { class: "timeout", message: "" } }]],
  ["a refusal", [stored, { refusal: "No." }]],
  ["nothing stored", ["{}"]],
  ["blank values", ['{"basic_info": {"name": " ", "age": []}}']],
  ["extra slots", ['{"basic_info": {"size": 3}, "pets": {"dog": "Rex"}}']],
  ["no JSON", ["Ada is 36."]],
] as const)("judgeTasks() asks nothing about %s", (_, answer) => {
  expect(tasks([stored])).toHaveLength(3);
  expect(tasks([...answer])).toEqual([]);
});

test("judgmentName() is unique for each slot and survives JSON and the answer schema", () => {
  const name = fc.string({ unit: fc.constantFrom(...'a:%3A/"\\. é'), minLength: 1 });
  fc.assert(
    fc.property(name, name, name, name, (topic, field, otherTopic, otherField) => {
      const isSame = topic === otherTopic && field === otherField;
      expect(judgmentName(topic, field) === judgmentName(otherTopic, otherField)).toBe(isSame);
    }),
  );
  const hostile = ["__proto__", "constructor", "1", "a::b", "a:", ":", "%3A", "日本"];
  const names = hostile.flatMap((topic) => hostile.map((field) => judgmentName(topic, field)));
  const judgments = Object.fromEntries(names.map((one) => [one, [aRecord(0.5)]]));
  const again = answerSchema.parse(JSON.parse(JSON.stringify(anAnswer("{}", { judgments }))));
  expect(Object.keys(again.judgments ?? {})).toEqual(names);
  expect(new Set(names).size).toBe(64);
});

test.each([
  [undefined, false],
  [{}, false],
  [{ empathy: [] }, false],
  [{ slot_accuracy: [] }, false],
  [{ [judgmentName("a", "b")]: [] }, true],
])("hasJudgments() on %j is %s", (judgments, wanted) => {
  expect(hasJudgments(judgments === undefined ? {} : { judgments })).toBe(wanted);
});
