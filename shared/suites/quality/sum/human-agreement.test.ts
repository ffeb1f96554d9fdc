import { expect, test } from "vitest";
import { emptyAnswer } from "../../../contracts/answer.ts";
import { answerHash } from "../../../contracts/judging/rating.ts";
import type { ScoredSample } from "../../../contracts/suite.ts";
import { callOf } from "../../../measures/performance/call-totals.ts";
import { alphaOf } from "../../../stats/__fixtures__/alpha-of.ts";
import { spearman } from "../../../stats/correlation/spearman.ts";
import { anAnswer, aSample } from "../__fixtures__/build.ts";
import { defaultOptions } from "../options.ts";
import type { HumanRatings } from "../sample.ts";
import { type QualityDetail, scoreQuality } from "../score/score.ts";
import {
  addRated,
  humanAgreement,
  mostRated,
  noRatings,
  type RatedAnswer,
} from "./human-agreement.ts";

/** A rated answer with the overall score `value` and the ratings `given`. */
function rated(
  id: string,
  value: number,
  given: number[],
  cluster: string | null = null,
): RatedAnswer {
  const mean = given.reduce((a, b) => a + b, 0) / given.length;
  const squares = given.reduce((sum, rating) => sum + (rating - mean) ** 2, 0);
  const values = [value, 0, 0, 0, 0, 0];
  return { id, cluster, values, ratings: { overall: [given.length, mean, squares] } };
}

const agreementOf = (...rows: RatedAnswer[]) =>
  humanAgreement({ answers: rows.length, rows }, "run-1");

/** Scores that rise with the ratings, with some noise. */
const noisy = Array.from({ length: 40 }, (_, i) =>
  rated(`s${i}`, (i + ((i * 7) % 11)) / 60, [1 + (i % 5), 1 + ((i * 3) % 5), i / 10]),
);

test("humanAgreement() correlates scores with mean ratings, with intervals", () => {
  const [overall, ...others] = agreementOf(...noisy);
  expect(others).toEqual([]);
  expect(overall).toMatchObject({ metric: "overall", n: 40 });
  const x = noisy.map(({ values }) => values[0]!);
  const y = noisy.map(({ ratings }) => ratings.overall![1]);
  const { value, interval, p } = overall!.spearman;
  expect({ value, p }).toEqual({ value: spearman(x, y).r, p: spearman(x, y).p });
  expect(interval![0]).toBeLessThan(value!);
  expect(interval![1]).toBeGreaterThan(value!);
  expect(overall!.pearson.interval![0]).toBeLessThan(overall!.pearson.value!);
});

test("humanAgreement() computes Krippendorff's alpha over samples with several ratings", () => {
  const lists = [[1, 2], [3, 3, 4], [5], [2, 2], [4, 5]];
  const [overall] = agreementOf(...lists.map((given, i) => rated(`s${i}`, i / 10, given)));
  expect(overall?.raters).toMatchObject({ samples: 4, ratings: 9 });
  expect(overall?.raters?.value).toBeCloseTo(alphaOf(lists) ?? Number.NaN, 12);
  const [low, high] = overall!.raters!.interval!;
  expect(low).toBeLessThan(high);
});

test("humanAgreement() keeps its precision for ratings far from zero", () => {
  const lists = [
    [1, 2],
    [3, 4],
    [2, 2],
    [4, 5],
  ];
  const of = (offset: number) =>
    agreementOf(
      ...lists.map((given, i) =>
        rated(
          `s${i}`,
          i / 10,
          given.map((rating) => rating + offset),
        ),
      ),
    )[0]!.raters!.value!;
  expect(of(1e9)).toBeCloseTo(of(0), 6);
});

test("humanAgreement() averages the repeats of a sample", () => {
  const once = agreementOf(rated("a", 0.2, [1]), rated("b", 0.6, [2]), rated("c", 0.5, [3]));
  const twice = agreementOf(
    rated("a", 0.1, [1]),
    rated("a", 0.3, [1]),
    rated("b", 0.6, [2]),
    rated("b", 0.6, [2]),
    rated("c", 0.5, [3]),
    rated("c", 0.5, [3]),
  );
  expect(twice[0]?.n).toBe(3);
  expect(twice[0]?.pearson.value).toBeCloseTo(once[0]!.pearson.value!, 12);
});

test("humanAgreement() resamples clusters if samples have them", () => {
  const rows = noisy.map((row, i) => ({ ...row, cluster: `c${i % 4}` }));
  expect(agreementOf(...rows)[0]?.spearman.interval).not.toEqual(
    agreementOf(...noisy)[0]?.spearman.interval,
  );
});

test.each([
  ["two samples", [rated("a", 0, [1]), rated("b", 1, [2])]],
  ["equal scores", ["a", "b", "c"].map((id, i) => rated(id, 0.5, [i]))],
  ["equal ratings", ["a", "b", "c"].map((id, i) => rated(id, i, [3]))],
])("humanAgreement() returns null figures for %s", (_, rows) => {
  const [overall] = agreementOf(...rows);
  const undefinedFigure = { value: null, interval: null, p: null };
  expect(overall).toMatchObject({
    spearman: undefinedFigure,
    pearson: undefinedFigure,
    raters: null,
  });
});

test("humanAgreement() returns an empty list without stored ratings", () => {
  expect(humanAgreement({ answers: 0, rows: [] }, "x")).toEqual([]);
  expect(humanAgreement({ answers: 20_001, rows: null }, "x")).toEqual([]);
});

const failed = { class: "timeout", message: "late" } as const;

function scored(
  seq: number,
  human: HumanRatings,
  answer = anAnswer("Cats purr."),
): ScoredSample<QualityDetail> {
  const sample = aSample("Explain cats.", {
    id: `s${seq}`,
    human: { scores: human, answerHash: answerHash(answer) },
  });
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

test("addRated() stores the scores and the sums of people's ratings", () => {
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
])("addRated() ignores an answer %s", (_, row) => {
  expect(stateOf(row)).toEqual(noRatings());
});

test("addRated() only counts answers beyond the maximum", () => {
  const row = scored(0, { overall: [1] });
  const { rows } = stateOf(row);
  const full = { answers: mostRated, rows: new Array(mostRated).fill(rows![0]!) };
  expect(addRated(full, row)).toEqual({ answers: mostRated + 1, rows: null });
  expect(addRated(full, row)).toEqual({ answers: mostRated + 2, rows: null });
});
