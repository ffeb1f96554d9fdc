import { expect, it } from "vitest";
import type { Comparison, MetricComparison } from "#shared/contracts/boards/comparison.ts";
import type { Leaderboard, LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import { boardDifferences } from "./place-boards.ts";
import { rankEnds, stepsDown, winMatrix } from "./win-matrix.ts";

const anEntry = (run: string, rank: number | null) =>
  ({ run, rank, model: { name: `Model ${run}` } }) as LeaderboardEntry;

const aPair = (a: string, b: string, winRate: number) =>
  ({ a, b, winRate, significantAt: 0.01 }) as MetricComparison["pairs"][number];

/** A comparison of three runs by id, with only the fields that are read. By its own tests, all pairs differ. */
function aComparison(better: "higher" | "lower") {
  const pairs = [aPair("a", "b", 0.3), aPair("a", "c", 0.6), aPair("b", "c", 0.8)];
  const standings = ["b", "a", "c"].map((run) => ({ run }));
  return { metrics: [{ metric: "f1", better, samples: 40, standings, pairs }] } as Comparison;
}

type P = number | null;

/** A board with b, a and c in this order, with the corrected p-value of each pair. */
const aBoard = (ps: [ab: P, ac: P, bc: P] | null, more: Partial<Leaderboard> = {}) => ({
  headline: "f1",
  entries: [anEntry("b", 1), anEntry("a", 2), anEntry("c", 3), anEntry("d", null)],
  tests: ps && {
    count: 3,
    units: { kind: "samples" as const, count: 40 },
    pHolm: [[], [ps[0]], [ps[2], ps[1]]],
  },
  ...more,
});

it("winMatrix() has the win rate of each row over each column, in the board's order", () => {
  const matrix = winMatrix(aComparison("higher"), aBoard([1, 1, 1]));
  expect(matrix?.models.map(({ run }) => run)).toEqual(["b", "a", "c"]);
  expect(matrix?.samples).toBe(40);
  const rates = matrix?.cells.map((row) => row.map((cell) => cell && Number(cell.rate.toFixed(9))));
  expect(rates).toEqual([
    [null, 0.7, 0.8],
    [0.3, null, 0.6],
    [0.2, 0.4, null],
  ]);
});

it("winMatrix() takes significance from the board's tests, not from the comparison's", () => {
  const levels = (board: ReturnType<typeof aBoard>) =>
    winMatrix(aComparison("higher"), board)?.cells.map((row) =>
      row.map((cell) => cell?.significantAt),
    );
  expect(levels(aBoard([0.2, 0.03, 0.002]))).toEqual([
    [undefined, null, 0.01],
    [null, undefined, 0.05],
    [0.01, 0.05, undefined],
  ]);
  expect(levels(aBoard(null))?.flat().filter(Boolean)).toEqual([]);
});

it("winMatrix() matches p-values by model if the comparison lacks one", () => {
  const comparison = aComparison("higher");
  comparison.metrics[0]?.standings.splice(1, 1);
  const matrix = winMatrix(comparison, aBoard([0.2, 0.03, 0.002]));
  expect(matrix?.models.map(({ run }) => run)).toEqual(["b", "c"]);
  expect(matrix?.cells[0]?.[1]?.significantAt).toBe(0.01);
});

it("winMatrix() counts lower values as wins if lower is better", () => {
  const matrix = winMatrix(aComparison("lower"), aBoard(null));
  expect(matrix?.cells[0]?.[1]?.rate).toBe(0.3);
});

it.each([
  ["a comparison", null, aBoard(null)],
  ["the board's headline", aComparison("higher"), aBoard(null, { headline: "eqs" })],
  [
    "two ranked models",
    aComparison("higher"),
    aBoard(null, { entries: [anEntry("a", 1), anEntry("b", null)] }),
  ],
])("winMatrix() is null without %s", (_what, comparison, board) => {
  expect(winMatrix(comparison, board)).toBeNull();
});

it("stepsDown() marks models that differ significantly from the one above", () => {
  expect(stepsDown(aBoard([0.2, 0.002, 0.001]))).toEqual({
    c: { above: "Model a", significantAt: 0.01 },
  });
  expect(stepsDown(aBoard([0.05, 0.05, 0.01]))).toEqual({});
  expect(stepsDown(aBoard(null))).toEqual({});
});

it.each([
  [[1, 3], "1–3"],
  [[1.4, 2.2], "1–3"],
  [[2, 2], "2–2"],
  [null, null],
] as const)("rankEnds(%j) is %s", (rankInterval, printed) => {
  expect(rankEnds({ rankInterval: rankInterval && [...rankInterval] })).toBe(printed);
});

const standard = {
  suite: "tools",
  headline: "avgF1",
  dataset: { name: "stock", version: "a".repeat(64), samples: 1 },
  scoringVersion: "b".repeat(64),
  promptHash: "c".repeat(64),
  structuredOutput: "auto",
  repeats: 1,
} as Leaderboard;

it("boardDifferences() lists how a board differs from the standard board", () => {
  expect(boardDifferences({ ...standard, id: "other" }, standard)).toEqual([]);
  expect(
    boardDifferences({ ...standard, promptHash: "d".repeat(64), repeats: 3 }, standard),
  ).toEqual(["prompt dddddddddddd", "repeats 3"]);
  expect(boardDifferences({ ...standard, headline: "total" }, standard)).toEqual([
    "ranked by total",
  ]);
});
