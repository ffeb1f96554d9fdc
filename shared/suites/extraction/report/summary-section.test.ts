import { expect, test } from "vitest";
import { anAnswer, aSample, aScored } from "../__fixtures__/build.ts";
import { blockIn, reportOf, run, summaryOf } from "../__fixtures__/reported.ts";
import { extractionReport } from "./report.ts";

test("extractionReport() shows EQS on zones that cover 0 to 1", () => {
  const gauge = blockIn(reportOf(['{"a": 1}', "?"]), "gauge", "EQS");
  expect(gauge.value).toBe(0.5);
  expect(gauge.zones[0]?.from).toBe(0);
  expect(gauge.zones.at(-1)?.to).toBe(1);
  expect(gauge.zones.slice(1).map(({ from }) => from)).toEqual(
    gauge.zones.slice(0, -1).map(({ to }) => to),
  );
});

test.each([
  [
    Array<string>(20).fill('{"a": 1}'),
    /^By EQS and hallucination rate: deploy without human review\. In addition: 100\.0% of the outputs equal .* \(exact match\)\. Every known measure with thresholds reaches at least “Excellent”\.$/,
  ],
  [
    Array<string>(20).fill("?"),
    /^Below the minimum: EQS, Schema validity, Partial F1, Hallucination rate\. By EQS and hallucination rate: not recommended\. In addition: 0\.0% of the outputs/,
  ],
  [Array<string>(19).fill('{"a": 1}'), /^The run has only 19 samples: a recommendation needs/],
  [[], /^No answer was scored/],
])("extractionReport() gives the expected recommendation for outputs %#", (outputs, text) => {
  expect(blockIn(reportOf(outputs), "note", "Recommendation").text).toMatch(text);
});

test("extractionReport() mentions uncovered samples in its recommendation", () => {
  const error = { class: "timeout" as const, message: "late" };
  const lost = Array.from({ length: 30 }, (_, seq) => {
    const answer = seq < 10 ? anAnswer(null, { error }) : anAnswer('{"a": 1}');
    return aScored(seq, aSample({ a: 1 }, { id: `${seq}` }), answer);
  });
  const { text } = blockIn(extractionReport(summaryOf(lost), run), "note", "Recommendation");
  expect(text).toMatch(/ Only 66\.7% of the samples are covered; the others count as 0\.$/);
});

const tenFields = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`f${i}`, "red brick"]));

/** In the first 40 answers one value is close and the others are right; later answers are perfect. */
const nearly = (i: number) => {
  const output = JSON.stringify({ ...tenFields, f0: "red bricks" });
  const sample = aSample(tenFields, { id: `${i}`, tags: { language: i % 2 === 0 ? "de" : "en" } });
  return aScored(i, sample, anAnswer(i < 40 ? output : JSON.stringify(tenFields)));
};

const perfect = (i: number) =>
  aScored(
    i,
    aSample(tenFields, { id: `${i}`, tags: { language: "en" } }),
    anAnswer(JSON.stringify(tenFields)),
  );

const inexact = Array.from({ length: 48 }, (_, i) => nearly(i));

test("extractionReport() mentions exact match if EQS alone would recommend no review", () => {
  const note = blockIn(extractionReport(summaryOf(inexact), run), "note", "Recommendation");
  expect(note.tone).toBe("poor");
  expect(note.text).toMatch(
    /^Not without review: only 16\.7% of the outputs equal .* \(exact match\); the other 83\.3% differ .* hallucination rate: deploy without human review\./,
  );
});

test("extractionReport() grades each measure by its level, with the letter in a separate cell", () => {
  const report = extractionReport(summaryOf(inexact), run);
  const { rows } = blockIn(report, "table", "At a glance");
  expect(rows.map(({ measure, grade, letter }) => [measure, grade, letter])).toEqual([
    ["EQS", "Excellent", null],
    ["Schema validity", "Excellent, could be Below minimum", "A+"],
    ["Partial F1", "Excellent", "A+"],
    ["Exact match", "Below minimum", "F"],
    ["Hallucination rate", "Excellent, could be Minimum", "A+"],
    ["Latency p95", null, null],
    ["Success rate", "Excellent, could be Below minimum", null],
  ]);
});

test("extractionReport() compares groups of samples by EQS and exact match", () => {
  const split = inexact.map((sample, i) => (i % 2 === 0 ? sample : perfect(i)));
  const report = extractionReport(summaryOf(split), run);
  const parts = (title: string) =>
    blockIn(report, "table", title).rows.map(({ part, measure }) => `${part}, ${measure}`);
  expect(parts("Weaknesses")).toEqual(
    expect.arrayContaining(["language: de, EQS", "language: de, Exact match"]),
  );
  expect(parts("Strengths")).toContain("language: en, Exact match");
});
