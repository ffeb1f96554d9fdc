import { expect, test } from "vitest";
import { emptyAnswer } from "../../../contracts/answer.ts";
import type { ScoredSample } from "../../../contracts/suite.ts";
import { callOf } from "../../../measures/call-totals.ts";
import { anAnswer, aSample } from "../__fixtures__/build.ts";
import { defaultOptions } from "../options.ts";
import type { HumanRatings } from "../sample.ts";
import { type QualityDetail, scoreQuality } from "../score/score.ts";
import { addRated, mostRated, noRatings } from "./human-rows.ts";

const failed = { class: "timeout", message: "late" } as const;

function scored(
  seq: number,
  human: HumanRatings,
  answer = anAnswer("Cats purr."),
): ScoredSample<QualityDetail> {
  const sample = aSample("Explain cats.", { id: `s${seq}`, human });
  const call = callOf(emptyAnswer);
  return {
    seq,
    id: sample.id,
    tags: {},
    score: scoreQuality(sample, answer, defaultOptions),
    call,
  };
}

const stateOf = (...rows: ScoredSample<QualityDetail>[]) => rows.reduce(addRated, noRatings());

test("addRated() keeps what was earned and the sums of what people gave", () => {
  const row = scored(3, { overall: [4], coherence: [3, null, 5] });
  const { answers, rows } = stateOf(row);
  expect(answers).toBe(1);
  expect(rows?.[0]).toMatchObject({
    id: "s3",
    cluster: null,
    ratings: { overall: [1, 4, 0], coherence: [2, 4, 2] },
  });
  expect(rows?.[0]?.values[0]).toBe(row.score.score);
});

test.each([
  ["without a rating", scored(0, {})],
  ["whose ratings are all missing", scored(0, { overall: [null], length: [] })],
  ["whose request failed", scored(0, { overall: [5] }, anAnswer(null, { error: failed }))],
])("addRated() passes over an answer %s", (_, row) => {
  expect(stateOf(row)).toEqual(noRatings());
});

test("rated answers are only counted once they are too many", () => {
  const row = scored(0, { overall: [1] });
  const { rows } = stateOf(row);
  const full = { answers: mostRated, rows: new Array(mostRated).fill(rows![0]!) };
  expect(addRated(full, row)).toEqual({ answers: mostRated + 1, rows: null });
  expect(addRated(full, row)).toEqual({ answers: mostRated + 2, rows: null });
});
