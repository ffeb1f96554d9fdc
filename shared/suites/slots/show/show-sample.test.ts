import { expect, test } from "vitest";
import type { Answer } from "../../../contracts/answer.ts";
import type { ReportBlock } from "../../../contracts/report.ts";
import { anAnswer, aRecord, aSample, judgmentsOf } from "../__fixtures__/build.ts";
import { defaultOptions, type SlotsOptions } from "../options.ts";
import type { SlotsSample } from "../sample.ts";
import { scoreSlots } from "../score/score.ts";
import { showSlots } from "./show-sample.ts";

const turns = [
  { role: "user", content: "I'm Ada, and I love tomato soup." },
  { role: "assistant", content: "Noted, Ada. How old are you?" },
];
const expected = { basic_info: { name: "Ada", age: 36 }, interests: { food: "soup" } };

function shown(
  answer: Answer,
  {
    sample = aSample(expected, { turns }),
    ...more
  }: { sample?: SlotsSample } & Partial<SlotsOptions> = {},
): ReportBlock[] {
  const score = scoreSlots(sample, answer, { ...defaultOptions, ...more });
  return showSlots({ sample, answer, score });
}

function textOf(blocks: readonly ReportBlock[], title: string) {
  const block = blocks.find((one) => one.kind === "text" && one.title === title);
  return block?.kind === "text" ? block : undefined;
}

const rowsOf = (blocks: readonly ReportBlock[]) =>
  blocks.flatMap((block) => (block.kind === "fields" ? block.rows : []));
const titles = (blocks: readonly ReportBlock[]) => blocks.map(({ title }) => title);

const stored = { basic_info: { name: "Ada" }, interests: { food: "Tomato  soup", pets: "cat" } };

test("showSlots() shows expected slots next to stored ones", () => {
  const rows = rowsOf(shown(anAnswer(JSON.stringify(stored))));
  expect(rows).toEqual(
    [
      ["basic_info.name", "Ada", "Ada", "exact value", "right"],
      ["basic_info.age", "36", null, "missed", "missed"],
      ["interests.food", "soup", "Tomato  soup", "other value", "other"],
      ["interests.pets", null, "cat", "extra", "extra"],
    ].map(([path, wanted, answer, verdict, tone]) => ({
      path,
      expected: wanted,
      answer,
      verdict,
      tone,
      note: null,
    })),
  );
});

test("showSlots() marks stored values in the session's text", () => {
  const session = textOf(shown(anAnswer(JSON.stringify(stored))), "Session 1 of ada")!;
  expect(session.marks.map(({ from, to, tone }) => [session.text.slice(from, to), tone])).toEqual([
    ["Ada", "right"],
    ["tomato soup", "other"],
    ["Ada", "right"],
  ]);
  expect(session.marks[1]?.label).toBe("other value");
});

test.each<[string, Answer, Partial<SlotsOptions>, string[]]>([
  ["a readable answer", anAnswer("{}"), {}, []],
  ["prose", anAnswer("I stored it."), {}, ["Output that could not be read"]],
  [
    "a wrapped answer",
    anAnswer('Sure: {"basic_info": {"name": "Ada"}}'),
    {},
    ["Output from which slots were recovered"],
  ],
  ["lines", anAnswer("basic_info::name::Ada"), { format: "lines" }, []],
  ["a refusal", anAnswer(null, { refusal: "No." }), {}, ["Refusal"]],
  ["an empty answer", anAnswer(null), {}, []],
  [
    "a failed request",
    anAnswer(null, { error: { class: "timeout", message: "60 s" } }),
    {},
    ["No answer"],
  ],
  [
    "a text that was cut off",
    anAnswer('{"basic_info": {"name": "Ad', { finishReason: "length" }),
    {},
    ["Cut off", "Output from which slots were recovered"],
  ],
])("showSlots() adds the expected extra blocks for %s", (_, answer, options, more) => {
  const blocks = titles(shown(answer, options));
  expect(blocks.filter((title) => !/^(Session|Expected)/.test(title))).toEqual(more);
  expect(blocks).toContain("Expected and stored slots");
});

test("showSlots() shows the expected slots and the output without a detail", () => {
  const score = { status: "scored", score: 0.5, detail: null } as const;
  const sample = aSample(expected, { turns });
  expect(titles(showSlots({ sample, answer: anAnswer("{}"), score }))).toEqual([
    "Session 1 of ada",
    "Expected slots",
    "Output",
  ]);
});

test("showSlots() cuts long texts and tables, and lists wrong slots first", () => {
  const fields = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`field ${i}`, `v${i}`]));
  const sample = aSample(
    { big: fields },
    { turns: [{ role: "user", content: "😀".repeat(5_000) }] },
  );
  const right = Object.fromEntries(Object.entries(fields).slice(0, 50));
  const blocks = shown(anAnswer(JSON.stringify({ big: { ...right, other: "x".repeat(500) } })), {
    sample,
  });
  const block = blocks.find(({ kind }) => kind === "fields");
  expect(block).toMatchObject({ left: 61 - 16 });
  expect(
    rowsOf(blocks)
      .slice(0, 12)
      .map(({ verdict }) => verdict),
  ).toEqual([...Array.from({ length: 10 }, () => "missed"), "extra", "exact value"]);
  expect(rowsOf(blocks)[10]?.answer).toHaveLength(121);
  const session = textOf(blocks, "Session 1 of ada")!;
  expect([session.text.length, session.left]).toEqual([1_800, 5_006 - 903]);
});

test("showSlots() shows judgments, and the reason if one is missing", () => {
  const failed = aRecord(null, { unjudged: { reason: "judge_failed", message: "429" } });
  const judgments = judgmentsOf({ "basic_info.name": 1, "interests.food": [aRecord(0.5), failed] });
  const answer = anAnswer(JSON.stringify(stored), { judgments });
  const blocks = shown(answer, { judge: "judge-a" });
  expect(blocks.find(({ title }) => title === "Judgments")).toMatchObject({
    rows: [
      { slot: "basic_info.name", judge: "judge-a", value: 1, said: "Because." },
      { slot: "interests.food", judge: "judge-a", value: 0.5, said: "Because." },
      {
        slot: "interests.food",
        judge: "judge-a",
        value: null,
        said: "Calls to the judge failed: 429",
      },
    ],
  });
  expect(rowsOf(blocks).map(({ note }) => note)).toEqual([
    "judged 1.00",
    null,
    "judged 0.50",
    null,
  ]);
  const nobody = shown(anAnswer(JSON.stringify(stored)), { judge: "judge-a" });
  expect(nobody.find(({ title }) => title === "Judgments")).toMatchObject({
    rows: [
      { slot: "basic_info.name", judge: null, said: "No judgment was given" },
      { slot: "interests.food", said: "No judgment was given" },
    ],
  });
});
