import { expect, test } from "vitest";
import type { Answer } from "../../../contracts/answer.ts";
import { answerHash } from "../../../contracts/judging/rating.ts";
import type { ReportBlock } from "../../../contracts/report.ts";
import { anAnswer, aSample } from "../__fixtures__/build.ts";
import { defaultOptions } from "../options.ts";
import type { QualitySample } from "../sample.ts";
import { scoreQuality } from "../score/score.ts";
import { showQuality } from "./show-sample.ts";

function shown(answer: Answer, more: Partial<QualitySample> = {}): ReportBlock[] {
  const sample = aSample("Explain why cats purr. Do they?", more);
  return showQuality({ sample, answer, score: scoreQuality(sample, answer, defaultOptions) });
}

const titles = (blocks: readonly ReportBlock[]) => blocks.map(({ title }) => title);

function textOf(blocks: readonly ReportBlock[], title: string) {
  const block = blocks.find((one) => one.kind === "text" && one.title === title);
  if (block?.kind !== "text") throw new Error(titles(blocks).join());
  return block;
}

const response =
  "Cats purr. However, they ALSO sleep; for  example, at noon. In summary, it’s therefore fine.";

test("showQuality() marks the connectors of a response", () => {
  const { text, marks } = textOf(shown(anAnswer(response)), "Response");
  expect(marks.map(({ from, to }) => text.slice(from, to))).toEqual([
    "However",
    "for  example",
    "In summary",
    "therefore",
  ]);
});

test("showQuality() marks nothing if case folding shifts positions", () => {
  expect(textOf(shown(anAnswer(`İ ${response}`)), "Response").marks).toEqual([]);
});

test("showQuality() shows the metrics with their components and counts", () => {
  const table = shown(anAnswer(response)).at(-1);
  expect(table).toMatchObject({ kind: "table", title: "Metrics of the response" });
  if (table?.kind !== "table") return;
  const { overall } = scoreQuality(
    aSample("Explain why cats purr. Do they?"),
    anAnswer(response),
    defaultOptions,
  ).detail;
  expect(table.rows[0]).toMatchObject({ metric: "Overall form", value: overall, made: null });
  expect(table.rows[1]).toMatchObject({
    made: expect.stringMatching(/^connectors 1\.00, clear pronouns 1\.00, topic continuity 1\.00$/),
    counts: "sentences: 3; connectors: 4; unclear pronouns: 0 of 1; shifts of topic: 0",
  });
  expect(table.rows[3]).toMatchObject({
    metric: "Length",
    made: null,
    counts: expect.stringMatching(/^words: 15, ideal 15; of the prompt: 6$/),
  });
  expect(table.columns.map(({ id }) => id)).not.toContain("people");
});

test("showQuality() shows people's ratings", () => {
  const scores = { overall: [4, null, 5], length: [null] };
  const human = { scores, answerHash: answerHash(anAnswer(response)) };
  const table = shown(anAnswer(response), { human }).at(-1);
  expect(table?.kind === "table" && table.rows.map((row) => row["people"])).toEqual([
    "4, 5",
    null,
    null,
    null,
    null,
    null,
  ]);
});

test.each<[string, Answer, string[]]>([
  ["a response", anAnswer("Cats purr."), ["Prompt", "Response", "Metrics of the response"]],
  ["no output", anAnswer(null), ["Prompt", "Metrics of the response"]],
  ["a blank output", anAnswer(" \n"), ["Prompt", "Metrics of the response"]],
  [
    "a refusal",
    anAnswer(null, { refusal: "No." }),
    ["Prompt", "Refusal", "Metrics of the response"],
  ],
  [
    "a failed request",
    anAnswer(null, { error: { class: "timeout", message: "" } }),
    ["Prompt", "No answer", "Metrics of the response"],
  ],
  [
    "a text that is cut off",
    anAnswer("Cats", { finishReason: "length" }),
    ["Prompt", "Cut off", "Response", "Metrics of the response"],
  ],
  [
    "another script",
    anAnswer("Кошки мурлычут."),
    ["Prompt", "Response", "Unsupported language", "Metrics of the response"],
  ],
])("showQuality() has the expected blocks for %s", (_, answer, blocks) => {
  expect(titles(shown(answer))).toEqual(blocks);
});

test("showQuality() shows only prompt and response without a detail", () => {
  const sample = aSample("Why?", { system: "Be kind." });
  const score = { status: "scored", score: 0.5, detail: null } as const;
  const blocks = showQuality({ sample, answer: anAnswer(response), score });
  expect(titles(blocks)).toEqual(["System message", "Prompt", "Response"]);
  expect(textOf(blocks, "Response").marks).toEqual([]);
});

test("showQuality() cuts texts that are too long for a page", () => {
  const blocks = shown(anAnswer("therefore 😀".repeat(50_000)));
  const { text, left, marks } = textOf(blocks, "Response");
  expect(text.length).toBeLessThanOrEqual(1_800);
  expect(left).toBe(11 * 50_000 - [...text].length);
  expect(marks.length).toBeGreaterThan(100);
});
