import { describe, expect, test } from "vitest";
import { type Answer, emptyAnswer } from "../../../contracts/answer.ts";
import type { Json } from "../../../contracts/json.ts";
import type { ReportBlock } from "../../../contracts/report.ts";
import { anAnswer, aSample } from "../__fixtures__/build.ts";
import { defaultOptions } from "../options.ts";
import { scoreExtraction, type UnscoredDetail } from "../score/score.ts";
import { showSample } from "./show-sample.ts";

const schema = {
  type: "object",
  properties: {
    name: { type: "string" },
    total: { type: "number" },
    city: { type: "string" },
    items: { type: "array", items: { type: "object", properties: { price: { type: "number" } } } },
  },
  required: ["name"],
};
const text = "Ada Lovelace of London paid 1,200 on 3 May. Later 45 in Rome.";
const expected: Json = { name: "Ada Lovelace", total: 1200, city: "London" };

function shown(answer: Answer, part: Partial<ReturnType<typeof aSample>> = {}) {
  const sample = aSample(expected, { text, schema, ...part });
  return showSample({ sample, answer, score: scoreExtraction(sample, answer, defaultOptions) });
}

const answering = (value: Json) => shown(anAnswer(JSON.stringify(value)));

type BlockOf<Kind extends ReportBlock["kind"]> = Extract<ReportBlock, { kind: Kind }>;
const blocksOf = <Kind extends ReportBlock["kind"]>(blocks: readonly ReportBlock[], kind: Kind) =>
  blocks.filter((block): block is BlockOf<Kind> => block.kind === kind);
const notesOf = (blocks: readonly ReportBlock[]) =>
  blocksOf(blocks, "note").map(({ title }) => title);

const marksOf = (blocks: readonly ReportBlock[]) => {
  const [block] = blocksOf(blocks, "text");
  return block?.marks.map(({ from, to, label }) => [block.text.slice(from, to), label]);
};

test("showSample() marks expected and given values in the text", () => {
  expect(marksOf(answering({ name: "Ada Lovelace", total: 45, country: "Rome" }))).toEqual([
    ["Ada Lovelace", "Expected and given"],
    ["London", "Expected, but not given"],
    ["1,200", "Expected, but not given"],
    ["45", "Given instead"],
    ["Rome", "Given, but not expected"],
  ]);
});

test("showSample() flags marks of values that the text writes differently", () => {
  const blocks = answering({ name: "ada lovelace", total: 1200, city: "London" });
  const loose = blocksOf(blocks, "text")[0]?.marks.map(({ isLoose = false }) => isLoose);
  expect(marksOf(blocks)?.map(([words]) => words)).toEqual(["Ada Lovelace", "London", "1,200"]);
  expect(loose).toEqual([false, false, true]);
  const [block] = blocksOf(
    shown(anAnswer('{"name": "ada lovelace"}'), {
      expected_output: { name: "ADA  lovelace" },
      schema,
    }),
    "text",
  );
  expect(block?.marks).toMatchObject([{ isLoose: true }]);
});

test("showSample() shows expected and answered values side by side, with verdict and error", () => {
  const [fields] = blocksOf(answering({ name: "Ada", total: "1200", extra: true }), "fields");
  expect(fields?.left).toBe(0);
  const rows = fields?.rows.map(({ path, expected: e, answer, verdict }) => [
    path,
    e,
    answer,
    verdict,
  ]);
  expect(rows).toEqual([
    ["name", "Ada Lovelace", "Ada", "incorrect"],
    ["total", "1200", '"1200"', "incorrect"],
    ["city", "London", null, "missed"],
    ["extra", null, "true", "spurious"],
  ]);
  expect(fields?.rows.map(({ note }) => note)).toEqual([
    "only a part of the value",
    "of the wrong type; not in the text",
    "not given",
    "the schema has no such field",
  ]);
});

test.each<[string, Answer, string]>([
  ["an output that is not JSON", anAnswer("sorry"), "invalid output"],
  ["a refusal", anAnswer(null, { refusal: "no" }), "invalid output"],
  [
    "a failed request",
    anAnswer(null, { error: { class: "timeout", message: "late" } }),
    "failed request",
  ],
])("showSample() gives no field of %s the verdict missed", (_, answer, verdict) => {
  const [fields] = blocksOf(shown(answer), "fields");
  expect(fields?.rows.map((row) => [row.verdict, row.note])).toEqual(
    Array.from({ length: 3 }, () => [verdict, null]),
  );
});

test("showSample() shows the score, also of an invalid answer as if it were valid", () => {
  const scoreOf = (blocks: readonly ReportBlock[]) =>
    blocksOf(blocks, "note").find(({ title }) => title === "Score")?.text;
  expect(scoreOf(answering(expected))).toBe(
    "EQS 1.000, partial F1 1.000, type accuracy 1.000, hallucination rate 0.0%, exact match.",
  );
  const invalid = answering({ total: 1200, city: "London" });
  expect(scoreOf(invalid)).toMatch(/^EQS 0\. If it were valid: EQS 0\.9\d\d, partial F1 0\.800,/);
  expect(blocksOf(invalid, "fields")[0]?.title).toBe("Field by field, as if valid");
});

test.each<[string, Answer, string[]]>([
  ["a right answer", anAnswer(JSON.stringify(expected)), ["Score"]],
  ["an answer in a fence", anAnswer('```json\n{"name": "Ada"}\n```'), ["Recovered", "Score"]],
  ["an output that is not JSON", anAnswer("Sorry."), ["Not JSON"]],
  ["a refusal", { ...emptyAnswer, refusal: "I can't." }, []],
  ["an empty answer", anAnswer(" "), ["Empty"]],
  ["an answer without output", emptyAnswer, ["Empty"]],
  [
    "a failed request",
    { ...emptyAnswer, error: { class: "timeout", message: "no answer within 60 s" } },
    ["No answer"],
  ],
  ["an invalid answer", anAnswer('{"total": 5}'), ["Not valid", "Score"]],
  [
    "an answer that is valid without its nulls",
    anAnswer('{"name": "Ada", "city": null}'),
    ["Valid without its nulls", "Score"],
  ],
  [
    "an answer that was cut off",
    anAnswer('{"name": "Ada', { finishReason: "length" }),
    ["Cut off", "Recovered", "Score"],
  ],
])("showSample() has the expected notes for %s", (_, answer, titles) => {
  expect(notesOf(shown(answer))).toEqual(titles);
});

describe("showSample() on special inputs", () => {
  test("shows the text of a refusal", () => {
    const [refusal] = shown({ ...emptyAnswer, refusal: "I can't." });
    expect(refusal).toMatchObject({ kind: "text", title: "Refusal", text: "I can't." });
  });

  test("shows an output that is not JSON unchanged and folded", () => {
    const raw = blocksOf(shown(anAnswer("Sorry. {")), "text").at(-1);
    expect(raw).toMatchObject({ text: "Sorry. {", isCode: true, folded: true });
  });

  test("shows sample and answer without a detail", () => {
    const sample = aSample(expected, { text, schema });
    const answer = anAnswer('{"name": "Ada"}');
    const blocks = showSample({
      sample,
      answer,
      score: { status: "scored", score: 0.5, detail: null },
    });
    expect(notesOf(blocks)).toEqual(["No details"]);
    expect(blocksOf(blocks, "text").map(({ title }) => title)).toEqual([
      "Text",
      "Expected",
      "Unchanged answer",
    ]);
  });

  test("shows the reason if an answer is unscored", () => {
    const sample = aSample(expected, { text, schema });
    const detail: UnscoredDetail = {
      status: "answered",
      parse: "clean",
      truncated: false,
      inputChars: 5,
      outputChars: 2,
      unscored: "the output can't be validated: too many steps",
    };
    const blocks = showSample({
      sample,
      answer: anAnswer("{}"),
      score: { status: "unscored", score: null, detail },
    });
    expect(blocksOf(blocks, "note")).toMatchObject([
      { title: "Not scored", text: detail.unscored },
    ]);
  });

  test("shows a root array and a root scalar", () => {
    const list = [{ price: 45 }, { price: 1200 }];
    const blocks = shown(anAnswer('[{"price": 45}]'), { expected_output: list, schema: {} });
    expect(blocksOf(blocks, "fields")[0]?.rows.map(({ path }) => path)).toEqual([
      "[0].price",
      "[1].price",
    ]);
    const scalar = shown(anAnswer('"Rome"'), { expected_output: "London", schema: {} });
    expect(blocksOf(scalar, "fields")[0]?.rows[0]?.path).toBe("(root)");
  });

  test("cuts long texts, long values and long lists", () => {
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, k) => [`f${k}`, "x".repeat(999)]),
    );
    const blocks = shown(anAnswer(JSON.stringify({ ...many, f0: "y" })), {
      expected_output: many,
      schema: {},
      text: "\ud83d\ude00 ".repeat(50_000),
    });
    expect(JSON.stringify(blocks).length).toBeLessThan(12_000);
    const [fields] = blocksOf(blocks, "fields");
    expect(fields?.rows[0]?.verdict).toBe("incorrect");
    expect(fields?.rows.length).toBe(12);
    expect(fields?.left).toBe(488);
  });

  test("shows a detail after JSON in the same way", () => {
    const sample = aSample(expected, { text, schema });
    const answer = anAnswer('{"name": "Ada", "items": [{"price": 2}]}');
    const score = scoreExtraction(sample, answer, defaultOptions);
    const again = JSON.parse(JSON.stringify(score)) as typeof score;
    expect(showSample({ sample, answer, score: again })).toEqual(
      showSample({ sample, answer, score }),
    );
  });
});
