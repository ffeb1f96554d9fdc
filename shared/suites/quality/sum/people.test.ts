import { expect, test } from "vitest";
import { emptyAnswer } from "../../../contracts/answer.ts";
import { callOf } from "../../../measures/performance/call-totals.ts";
import { anAnswer, aSample } from "../__fixtures__/build.ts";
import { defaultOptions } from "../options.ts";
import { qualityReport } from "../report/report.ts";
import { scoreQuality } from "../score/score.ts";
import { qualityAggregate } from "./aggregate.ts";
import { mostRated } from "./human-agreement.ts";

const facts = { runId: "run-1", options: defaultOptions, prices: null, wallMs: null };

function stateOf(ratings: readonly (number[] | null)[]) {
  return ratings.reduce((state, given, seq) => {
    const sample = aSample("Explain how cats purr.", {
      id: `s${seq}`,
      ...(given && { human: { scores: { overall: given }, answerHash: null } }),
    });
    const text = `Cats purr.${" However, they also sleep.".repeat(seq)}`;
    const answer = anAnswer(text, { rated: true });
    const score = scoreQuality(sample, answer, defaultOptions);
    const call = callOf(emptyAnswer);
    return qualityAggregate.add(state, { seq, id: sample.id, tags: {}, score, call });
  }, qualityAggregate.empty(defaultOptions));
}

const sectionOf = (state: ReturnType<typeof stateOf>) =>
  qualityReport(qualityAggregate.finish(state, facts), {
    options: defaultOptions,
    points: null,
    timeline: null,
  }).find(({ id }) => id === "people");

test("the report shows correlations with people's ratings, and the agreement of raters if there are several", () => {
  const ratings = [
    [1, 2],
    [2, 2],
    [4, 3],
    [3, 5],
  ];
  const few = sectionOf(stateOf(ratings));
  expect(few?.blocks).toMatchObject([
    { kind: "note", text: "People rated 4 of these answers: from 20 on their agreement is shown." },
  ]);
  const section = sectionOf(stateOf(Array.from({ length: 5 }, () => ratings).flat()));
  expect(section?.blocks.map(({ title }) => title)).toEqual([
    "Spearman's correlation with people",
    "Correlation with people",
    "Agreement of raters",
  ]);
  expect(section?.blocks[1]).toMatchObject({
    rows: [{ metric: "Overall form", n: 20, spearman: expect.any(Number) }],
  });
  const single = Array.from({ length: 20 }, (_, i) => [1 + (i % 5)]);
  expect(sectionOf(stateOf(single))?.blocks).toHaveLength(2);
});

test("the report has no section on people without ratings", () => {
  expect(sectionOf(stateOf([null, null]))).toBeUndefined();
});

test("the report states that correlations are not computed for too many rated answers", () => {
  const state = stateOf([[1], [2]]);
  const section = sectionOf({ ...state, human: { answers: mostRated + 1, rows: null } });
  expect(section?.blocks).toEqual([
    expect.objectContaining({
      kind: "note",
      text: expect.stringContaining("20001 answers are rated"),
    }),
  ]);
});
