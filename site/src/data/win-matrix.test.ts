import { expect, it } from "vitest";
import type { Comparison, MetricComparison } from "#shared/contracts/comparison.ts";
import type { LeaderboardEntry } from "#shared/contracts/leaderboard.ts";
import { stepsDown, winMatrix } from "./win-matrix.ts";

type Level = 0.01 | 0.05 | null;

const anEntry = (run: string, rank: number | null, tieGroup: number | null = null) =>
  ({ run, rank, tieGroup, model: { name: `Model ${run}` } }) as LeaderboardEntry;

const aPair = (a: string, b: string, winRate: number, significantAt: Level) =>
  ({ a, b, winRate, significantAt }) as MetricComparison["pairs"][number];

/** Of three runs, by id; what else a comparison has is not read. */
function aComparison(better: "higher" | "lower", levels: [ab: Level, ac: Level, bc: Level]) {
  const pairs = [
    aPair("a", "b", 0.3, levels[0]),
    aPair("a", "c", 0.6, levels[1]),
    aPair("b", "c", 0.8, levels[2]),
  ];
  const standings = ["b", "a", "c"].map((run) => ({ run }));
  return { metrics: [{ metric: "f1", better, samples: 40, standings, pairs }] } as Comparison;
}

const entries = [anEntry("b", 1, 1), anEntry("a", 2, 1), anEntry("c", 3, 2), anEntry("d", null)];

it("winMatrix() has the share of each row over each column, in the board's order", () => {
  const matrix = winMatrix(aComparison("higher", [null, 0.05, 0.01]), "f1", entries);
  expect(matrix?.models.map(({ run }) => run)).toEqual(["b", "a", "c"]);
  expect(matrix?.samples).toBe(40);
  const rates = matrix?.cells.map((row) => row.map((cell) => cell && Number(cell.rate.toFixed(9))));
  expect(rates).toEqual([
    [null, 0.7, 0.8],
    [0.3, null, 0.6],
    [0.2, 0.4, null],
  ]);
  expect(matrix?.cells[2]?.map((cell) => cell?.significantAt)).toEqual([0.01, 0.05, undefined]);
});

it("winMatrix() counts lower values as wins where lower is better", () => {
  const matrix = winMatrix(aComparison("lower", [null, null, null]), "f1", entries);
  expect(matrix?.cells[0]?.[1]?.rate).toBe(0.3);
});

it.each([
  ["a comparison", null, "f1", entries],
  ["its headline", aComparison("higher", [null, null, null]), "eqs", entries],
  ["two ranked models", aComparison("higher", [null, null, null]), "f1", [anEntry("a", 1)]],
])("winMatrix() is null without %s", (_what, comparison, headline, its) => {
  expect(winMatrix(comparison, headline, its)).toBeNull();
});

const stepsOf = (levels: [Level, Level, Level], its = entries) => {
  const matrix = winMatrix(aComparison("higher", levels), "f1", its);
  return matrix && stepsDown(matrix);
};

it("stepsDown() marks models that differ from the one above", () => {
  expect(stepsOf([null, 0.01, null])).toEqual({
    c: { above: "Model a", significantAt: 0.01 },
  });
  expect(stepsOf([null, null, 0.01])).toEqual({});
});

it("stepsDown() does not gainsay the board, which does not tell a group from its first", () => {
  expect(stepsOf([0.05, null, null])).toEqual({});
  const apart = [anEntry("b", 1, 1), anEntry("a", 2, 2), anEntry("c", 3, 2)];
  expect(stepsOf([0.05, 0.05, null], apart)).toEqual({
    a: { above: "Model b", significantAt: 0.05 },
  });
  const oneGroup = entries.map((entry) => ({ ...entry, tieGroup: 1 }));
  expect(stepsOf([null, 0.05, null], oneGroup)).toEqual({
    c: { above: "Model a", significantAt: 0.05 },
  });
});
