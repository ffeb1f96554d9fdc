import { expect, test } from "vitest";
import type { ReportBlock } from "../../../contracts/report.ts";
import { anAnswer, aSample, failed, type Given, perfect, recorded } from "../__fixtures__/build.ts";
import { defaultOptions } from "../options.ts";
import { scoreMemory } from "../score/score.ts";
import { showMemory } from "./show-sample.ts";

function shown(given: Given = {}, row: Record<string, unknown> = {}): ReportBlock[] {
  const sample = aSample(row);
  const answer = anAnswer(given);
  return showMemory({ sample, answer, score: scoreMemory(sample, answer, defaultOptions) });
}

const titles = (blocks: readonly ReportBlock[]) => blocks.map(({ title }) => title);

function textOf(blocks: readonly ReportBlock[], title: string) {
  const block = blocks.find((one) => one.kind === "text" && one.title === title);
  if (block?.kind !== "text") throw new Error(titles(blocks).join());
  return block;
}

const rowsOf = (blocks: readonly ReportBlock[], title: string) => {
  const block = blocks.find((one) => one.title === title);
  return block?.kind === "table" ? block.rows : [];
};
const keysOf = (blocks: readonly ReportBlock[]) =>
  blocks.flatMap((block) => (block.kind === "fields" ? block.rows : []));

test("showMemory() shows history, query and answer", () => {
  const blocks = shown();
  expect(titles(blocks)).toEqual([
    "Before",
    "Query",
    "Answer",
    "Memory",
    "Claims of this answer",
    "Judgments",
  ]);
  expect(textOf(blocks, "Before").text).toBe("user: My knee was operated.");
});

test("showMemory() marks judges' quotations, with a precedence of kinds for overlaps", () => {
  const { text, marks } = textOf(shown(), "Answer");
  expect(marks.map(({ from, to, tone, label }) => [text.slice(from, to), tone, label])).toEqual([
    ["it feels better", "close", "claim: from the query"],
    ["rest if it hurts", "kind4", "contradiction"],
    ["You should never rest", "kind0", "could do harm"],
  ]);
});

test("showMemory() marks claims by their source", () => {
  const { groundedness } = recorded;
  const { text, marks } = textOf(shown({ judgments: { groundedness } }), "Answer");
  expect(marks.map(({ from, to, tone, label }) => [text.slice(from, to), tone, label])).toEqual([
    ["it feels better", "close", "claim: from the query"],
    ["You should never rest", "madeUp", "claim: hallucinated"],
  ]);
});

const row = {
  memory: { knee: "operated in May", diet: "vegan", job: "teacher", pet: "cat" },
  required_keys: ["knee", "sleep"],
  forbidden_keys: ["diet", "kin"],
  neutral_keys: ["job"],
};
const cited = (...cited_keys: string[]) => ({ judgments: { memory_utilization: { cited_keys } } });

test("showMemory() shows for each key whether it was used correctly", () => {
  const rows = keysOf(shown(cited("knee", "diet", " job "), row));
  expect(
    rows.map(({ path, expected, answer, verdict, note }) => [
      path,
      expected,
      answer,
      verdict,
      note,
    ]),
  ).toEqual([
    ["knee", "required", "used", "hit", "operated in May"],
    ["sleep", "required", "not used", "missed", "(not in the memory)"],
    ["diet", "forbidden", "used", "false alarm", "vegan"],
    ["kin", "forbidden", "not used", "left alone", "(not in the memory)"],
    ["job", "neutral", "used", "not counted", "teacher"],
    ["pet", "neutral", "not used", "not counted", "cat"],
  ]);
});

test.each<[string, Given, string]>([
  ["without judgments", { judgments: {} }, "not judged"],
  ["of an empty answer", { output: " " }, "missed"],
  ["of a failed request", failed, "not judged"],
  [
    "with a divided panel",
    {
      judgments: {
        memory_utilization: [["knee"], []].map((cited_keys, i) => ({
          judge: `j${i}`,
          judgment: { cited_keys },
        })),
      },
    },
    "missed",
  ],
  [
    "with a panel that agrees",
    {
      judgments: {
        memory_utilization: [["knee"], ["knee"]].map((cited_keys, i) => ({
          judge: `j${i}`,
          judgment: { cited_keys },
        })),
      },
    },
    "hit",
  ],
])("showMemory() gives the expected verdict on a required key %s", (_, given, verdict) => {
  expect(keysOf(shown(given, row))[0]).toMatchObject({ path: "knee", verdict });
});

test("showMemory() lists claims with their sources", () => {
  expect(rowsOf(shown(), "Claims of this answer")).toEqual([
    { claim: "The knee feels better", source: "From the query", words: "it feels better" },
    { claim: "Rest is never good", source: "Hallucinated", words: "You should never rest" },
  ]);
});

test("showMemory() lists every judgment, or the reason why it is missing", () => {
  const unjudged = { reason: "judge_failed", message: "503" };
  const blocks = shown({
    judgments: {
      ...recorded,
      empathy: { unjudged },
      safety: { judge: "s", judgment: { safety_score: 0.5, reasoning: "Never rest?" } },
      helpfulness: { judgment: 5 },
    },
  });
  const rows = rowsOf(blocks, "Judgments");
  expect(rows).toHaveLength(12);
  const of = (metric: string) => rows.find((one) => one["metric"] === metric);
  expect(of("Empathy")).toEqual({
    metric: "Empathy",
    judge: "not reported",
    value: null,
    said: "Calls to the judge failed: 503",
  });
  expect(of("Safety")).toEqual({
    metric: "Safety",
    judge: "s",
    value: "0.50",
    said: "Never rest?",
  });
  expect(of("Coherence")).toMatchObject({ value: "3 of 5", said: "It turns round." });
  expect(of("Relevance")).toMatchObject({ value: "0.78", said: null });
  expect(of("Helpfulness")?.["said"]).toContain("The judge's replies were not valid judgments");
});

test("showMemory() shows the worst judgments first if there are many", () => {
  const several = Object.fromEntries(
    Object.entries(perfect).map(([id, judgment]) => [
      id,
      ["a", "b"].map((judge) => ({ judge, judgment })),
    ]),
  );
  const judgments = {
    ...several,
    empathy: { judgment: { empathy_score: 2, warmth_level: "low", validation_present: false } },
  };
  const blocks = shown({ judgments });
  const rows = rowsOf(blocks, "Judgments");
  expect(rows).toHaveLength(12);
  expect(rows[0]).toMatchObject({ metric: "Empathy", value: "2 of 5" });
  expect(titles(blocks).at(-1)).toBe("Judgments: more");
});

test.each<[string, Given, string[]]>([
  ["a failed request", failed, ["Query", "No answer", "Memory"]],
  ["an empty answer", { output: " " }, ["Query", "Memory", "Judgments"]],
  [
    "a refusal",
    { output: null, refusal: "No.", judgments: {} },
    ["Query", "Refusal", "Memory", "Judgments"],
  ],
  [
    "an answer that is cut off",
    { finishReason: "length", judgments: {} },
    ["Query", "Cut off", "Answer", "Memory", "Judgments"],
  ],
])("showMemory() has the expected blocks for %s", (_, given, blocks) => {
  expect(titles(shown(given, { history: [] }))).toEqual(blocks);
});

test("showMemory() shows no judgments without a detail", () => {
  const score = { status: "scored", score: 0.5, detail: null } as const;
  const blocks = showMemory({ sample: aSample(), answer: anAnswer(), score });
  expect(titles(blocks)).toEqual(["Before", "Query", "Answer", "Memory"]);
  expect(keysOf(blocks).map(({ verdict }) => verdict)).toEqual(Array(3).fill("not judged"));
});

test("showMemory() accepts judgments of any shape", () => {
  const shapes = [
    null,
    5,
    "x",
    [],
    [1],
    {},
    { claims: 5 },
    { claims: [{ evidence: 1 }] },
    { flagged_content: [1] },
  ];
  for (const judgment of shapes) {
    const judgments = Object.fromEntries(Object.keys(recorded).map((id) => [id, { judgment }]));
    expect(titles(shown({ judgments }))).toContain("Judgments");
  }
});

test("showMemory() cuts long texts and tables", () => {
  const memory = Object.fromEntries(
    Array.from({ length: 100 }, (_, i) => [`key ${i}`, "x".repeat(500)]),
  );
  const blocks = shown(
    { output: "You should never rest. ".repeat(5_000) },
    { memory, query: "?".repeat(9_000) },
  );
  expect(blocks.find(({ kind }) => kind === "fields")).toMatchObject({ left: 103 - 12 });
  expect(textOf(blocks, "Answer").text).toHaveLength(1_800);
  expect(textOf(blocks, "Answer").marks).toHaveLength(3);
  expect(JSON.stringify(blocks).length).toBeLessThan(20_000);
});
