import { expect, test } from "vitest";
import { givenJudgments } from "../../contracts/judging/given-judgments.ts";
import type { JudgeResult } from "../../contracts/judging/judgment.ts";
import { noAnswers } from "../run-sums/run-state.ts";
import { addJudged } from "./judge-parts.ts";
import { judgeRows, judgingEstimates, panelRows } from "./judge-tables.ts";

const aDeed = (value: number | null, more: object = {}): JudgeResult => ({
  ...givenJudgments({ deed: { judge: "a", requests: 1, costUsd: 0.5, judgment: 1, ...more } })[
    "deed"
  ]![0]!,
  value,
});
const stateOf = (...added: Parameters<typeof addJudged>[2][]) => {
  const state = noAnswers({ spreads: [] }, null);
  added.forEach((things, i) => {
    addJudged(state.parts, { id: `s${i}`, tags: {} }, things);
  });
  return state;
};

test("judgeRows() has a row for each metric and judge, in the order of the metrics", () => {
  const state = stateOf(
    [
      { metric: "y", judges: [aDeed(0.5), aDeed(null, { isFallback: true })] },
      { metric: "x", judges: [aDeed(4, { judge: null }), aDeed(2, { isSimulated: true })] },
    ],
    [{ metric: "x", judges: [aDeed(4, { isSelfPreference: true, isCached: true })], human: 3 }],
  );
  const rows = judgeRows(state, "seed", ["x", "y"]);
  expect(
    rows.map(({ metric, judge, asked, judged, mean }) => [metric, judge, asked, judged, mean]),
  ).toEqual([
    ["x", "a", 2, 2, 3],
    ["x", null, 1, 1, 4],
    ["y", "a", 2, 1, 0.5],
  ]);
  expect(rows[0]).toMatchObject({ cached: 1, selfPreference: true, simulated: true, fallback: 0 });
  expect(rows[0]?.calibration).toMatchObject({ n: 1, meanAbsoluteError: { value: 1 } });
  expect(rows[2]).toMatchObject({ fallback: 1, simulated: false, calibration: null });
});

test("panelRows() uses items with at least two values", () => {
  const both = (a: number, b: number | null) => [
    { metric: "x", judges: [aDeed(a), aDeed(b, { judge: "b" })] },
  ];
  const state = stateOf(both(1, 1), both(3, 3), both(2, null));
  expect(panelRows(state, "seed", ["x"])).toMatchObject([
    { metric: "x", answers: 2, ratings: 4, alpha: { value: 1 } },
  ]);
});

test("judgingEstimates() sums the calls; the cost is null if a call has no price", () => {
  const things = (more: object) => [{ metric: "x", judges: [aDeed(1, more)] }];
  const value = (id: string, ...more: object[]) =>
    judgingEstimates(stateOf(...more.map(things)), 2)[id]?.value;
  expect(value("judgeRequests", {}, { requests: 2 }, { isCached: true })).toBe(3);
  expect(value("judgeCachedRate", {}, { isCached: true })).toBe(0.5);
  expect(value("judgeCostUsd", {}, { isCached: true, costUsd: null })).toBe(0.5);
  expect(value("judgeCostUsd", {}, { isSimulated: true, costUsd: null })).toBe(0.5);
  expect(value("judgeCostUsd", {}, { costUsd: null })).toBeNull();
  expect(judgingEstimates(stateOf(), 2)["judgeRequests"]).toEqual({
    value: null,
    interval: null,
    n: 0,
    coverage: 0,
  });
});
