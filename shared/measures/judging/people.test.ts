import { expect, test } from "vitest";
import type { AskedJudge } from "../../contracts/judging/judge.ts";
import { noJudgment } from "../../contracts/judging/judgment.ts";
import type { RunScores } from "../../contracts/runs/run-scores.ts";
import { judges } from "../../judges/judges.ts";
import { blocksOf } from "../report/charts/blocks.ts";
import { peopleOf, type RatedAnswer } from "./people.ts";
import { judgesAgreement } from "./people-section.ts";

const empathy = judges.find(({ id }) => id === "empathy") as AskedJudge;
const safety = judges.find(({ id }) => id === "safety") as AskedJudge;

const ids = Array.from({ length: 100 }, (_, i) => `s${i}`);
/** The judge's levels, one above people's. */
const judged = (i: number) => 2 + (i % 4);

const scores: RunScores = {
  ids,
  clusters: null,
  lacking: [],
  values: { empathy: { of: ids.map((_, i) => judged(i)), over: null } },
};

const anAnswer = (i: number, ratings: RatedAnswer["ratings"]): RatedAnswer => ({
  sample: { id: `s${i}`, tags: {} },
  judged: [
    {
      metric: "empathy",
      value: judged(i),
      judges: [
        { ...noJudgment, judge: "lenient", value: judged(i) },
        { ...noJudgment, judge: "exact", value: judged(i) - 1 },
      ],
    },
  ],
  ratings,
});

const run = { id: "run_1", scores, judges: [empathy, safety] };

test("peopleOf() corrects the judge's mean, and measures agreement of judges and people", () => {
  const rated = Array.from({ length: 40 }, (_, i) =>
    anAnswer(i, { empathy: i < 20 ? [judged(i) - 1, judged(i) - 1] : [judged(i) - 1] }),
  );
  const { means, judges: agreed, agreement } = peopleOf(rated, run);
  expect(means["empathy"]).toMatchObject({ n: 40, judge: 3.5, value: 2.5 });
  expect(means["safety"]).toBeUndefined();
  expect(
    agreed.map(({ judge, n, meanAbsoluteError }) => [judge, n, meanAbsoluteError.value]),
  ).toEqual([
    ["exact", 40, 0],
    ["lenient", 40, 1],
  ]);
  expect(agreed[0]?.kappa.value).toBe(1);
  expect(agreed.map((row) => [row.agreement.value, row.cohensKappa.value])).toEqual([
    [1, 1],
    [0, expect.closeTo(-3 / 13, 9)],
  ]);
  expect(agreement).toMatchObject([
    { metric: "empathy", answers: 20, ratings: 40, alpha: { value: 1 } },
  ]);
});

test("peopleOf() resamples clusters, and omits answers without a judgment", () => {
  const rated = Array.from({ length: 40 }, (_, i) => anAnswer(i, { empathy: [1 + (i % 4)] }));
  const clusters = ids.map((_, i) => `c${i % 4}`);
  // Four clusters are too few for an interval.
  const { means } = peopleOf(rated, { ...run, scores: { ...scores, clusters } });
  expect(means["empathy"]).toMatchObject({ n: 40, interval: null });
  const unjudged = rated.map((one) => ({
    ...one,
    judged: one.judged.map((item) => ({ ...item, value: null })),
  }));
  expect(peopleOf(unjudged, run).means).toEqual({});
});

test("judgesAgreement() shows the interval of each figure next to it", () => {
  const figure = (value: number) => ({ value, interval: [value, value] as [number, number] });
  const row = {
    metric: "empathy",
    judge: "exact",
    n: 20,
    kappa: figure(0.6),
    cohensKappa: figure(0.4),
    agreement: figure(0.5),
    meanAbsoluteError: figure(0.7),
  };
  const [block] = blocksOf([judgesAgreement([row], run.judges)]);
  if (block?.kind !== "table") throw new Error("no table");
  const shown = block.columns.map(({ id }) => block.rows[0]?.[id]);
  const [weighted, cohens] = ["0.600–0.600", "0.400–0.400"];
  expect(shown.slice(4)).toEqual([0.6, weighted, 0.4, cohens, 0.5, "50.0–50.0%", 0.7]);
});

test("peopleOf() without rated answers is empty", () => {
  expect(peopleOf([], run)).toEqual({ means: {}, agreement: [], judges: [] });
});
