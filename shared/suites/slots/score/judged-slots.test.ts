import { expect, test } from "vitest";
import { givenJudgments } from "../../../contracts/judging/given-judgments.ts";
import { anAnswer, aRecord, aSample, judgmentsOf } from "../__fixtures__/build.ts";
import { defaultOptions, type SlotsOptions } from "../options.ts";
import { judgmentName } from "./judged-slots.ts";
import { sampleValues, scoreSlots } from "./score.ts";

const sample = aSample({ basic_info: { name: "Ada", age: 36 }, interests: { food: ["tea"] } });
const output = '{"basic_info": {"name": "Ada L.", "age": 37}, "pets": {"dog": "Rex"}}';
const judging: Partial<SlotsOptions> = { judge: "judge-a" };

type Given = Parameters<typeof judgmentsOf>[0];
const scored = (given: Given | null, options = judging, stored: string | null = output) =>
  scoreSlots(sample, anAnswer(stored, given === null ? {} : { judgments: judgmentsOf(given) }), {
    ...defaultOptions,
    ...options,
  });
const valuesOf = ({ detail }: ReturnType<typeof scored>) =>
  detail.fields.map(({ judged }) => judged?.value);

test("a session's judge score is the mean over expected slots; missed slots are 0, extra slots are ignored", () => {
  const score = scored({ "basic_info.name": 0.9, "basic_info.age": 0.3 });
  expect(valuesOf(score)).toEqual([0.9, 0.3, 0, undefined]);
  expect(score.detail.judged).toEqual({ score: expect.closeTo(0.4, 12), sum: 1.2, stored: 2 });
  expect(sampleValues(score).judgeScore).toEqual({ of: 1.2, over: 3 });
  expect(score.detail.fields[0]?.judged).toMatchObject({
    unjudged: null,
    judges: [
      {
        judge: "judge-a",
        value: 0.9,
        requests: 1,
        message: "",
        judgment: { reasoning: "Because.", accuracy: 0.9 },
      },
    ],
  });
  expect(score.detail.fields[2]?.judged).toEqual({ value: 0, unjudged: null, judges: [] });
});

test("judgments do not change any other part of a score", () => {
  const { detail, ...plain } = scored(null, {});
  const { detail: judged, ...same } = scored({ "basic_info.name": 0.9, "basic_info.age": 0.3 });
  expect(same).toEqual(plain);
  const { judged: _, fields, ...rest } = judged;
  expect({ ...rest, fields: fields.map(({ judged: __, ...slot }) => slot) }).toEqual(detail);
  expect(JSON.stringify(detail)).not.toContain("judged");
});

const failed = aRecord(null, { unjudged: { reason: "judge_failed", message: "429" } });

test.each<[string, Given, string]>([
  ["a slot without a judgment", { "basic_info.name": 1 }, "not_given"],
  ["a judge that failed", { "basic_info.name": 1, "basic_info.age": [failed] }, "judge_failed"],
  ["no judgment", { "basic_info.name": 1, "basic_info.age": [aRecord(null)] }, "invalid_judgment"],
  ["a value out of range", { "basic_info.name": 1, "basic_info.age": 7 }, "invalid_judgment"],
])("a session with %s has no judge score", (_, given, unjudged) => {
  const score = scored(given);
  expect(valuesOf(score)).toEqual([1, null, 0, undefined]);
  expect(score.detail.fields[1]?.judged).toMatchObject({ value: null, unjudged });
  expect(score.detail.judged).toEqual({ score: null, sum: 1, stored: 2 });
  expect(sampleValues(score).judgeScore).toBeNull();
  expect(score.score).toBe(scored(null, {}).score);
});

test("a panel's value is the median or the majority of its valid judgments", () => {
  const panel = [aRecord(0.2), aRecord(1, { judge: "b" }), aRecord(1, { judge: "c" }), failed];
  const given = { "basic_info.name": [...panel, aRecord(0)], "basic_info.age": 0.5 };
  expect(valuesOf(scored(given))[0]).toBe(0.6);
  expect(valuesOf(scored(given, { judges: ["a", "b"], panelRule: "majority" }))[0]).toBe(1);
});

test("a session without stored slots has the judge score 0 without a judgment", () => {
  for (const stored of ["{}", "I can't.", null]) {
    const score = scored(null, { judges: ["judge-a", "judge-b"] }, stored);
    expect(scored(null, judging, stored)).toEqual(score);
    expect(score.detail.judged).toEqual({ score: 0, sum: 0, stored: 0 });
    expect(sampleValues(score).judgeScore).toEqual({ of: 0, over: 3 });
  }
  const error = { class: "timeout", message: "" } as const;
  const lost = scoreSlots(sample, anAnswer(null, { error }), { ...defaultOptions, ...judging });
  expect(lost).toMatchObject({ covered: false, detail: { judged: { score: 0, stored: 0 } } });
});

test("judgments supplied with an answer are read even if the options name no judge", () => {
  expect(scored({ "basic_info.name": 1, "basic_info.age": 0.5 }, {}).detail.judged?.score).toBe(
    0.5,
  );
  expect(scored({}, {}).detail.judged).toBeUndefined();
  // Judgments of missed and extra slots are ignored.
  const idle = { "interests.food": 1, "pets.dog": 1 };
  expect(scored({ "basic_info.name": 1, "basic_info.age": 0.5, ...idle }).detail.judged?.sum).toBe(
    1.5,
  );
});

test("judgments in a stored detail can be supplied again and give the same detail", () => {
  const given = {
    "basic_info.name": [aRecord(0.5), failed, aRecord(0.75)],
    "basic_info.age": 0.25,
  };
  const { detail } = scored(given);
  const again = Object.fromEntries(
    detail.fields.map(({ topic, field, judged }) => [judgmentName(topic, field), judged]),
  );
  const answer = anAnswer(output, { judgments: givenJudgments(again) });
  const score = scoreSlots(sample, answer, { ...defaultOptions, ...judging });
  expect(score.detail).toEqual(detail);
});

test("long judgments are cut", () => {
  const long = "😀".repeat(50_000);
  const record = aRecord(null, {
    judgment: { reasoning: long, accuracy: 1, more: Array(1_000).fill(long) },
    judge: long,
    provider: long,
    promptHash: long,
    key: long,
  });
  const refused = aRecord(null, { unjudged: { reason: "judge_refused", message: long } });
  const { detail } = scored({ "basic_info.name": [record, refused], "basic_info.age": 1 });
  expect(detail.judged?.score).toBeCloseTo(2 / 3, 12);
  expect(JSON.stringify(detail).length).toBeLessThan(12_000);
  expect(JSON.stringify(detail)).not.toMatch(/\\ud[89a-f]/);
});
