import { expect, it } from "vitest";
import type { Leaderboard } from "#shared/contracts/boards/leaderboard.ts";
import type { Run } from "#shared/contracts/run.ts";
import { joinRuns, withoutSilentFigures } from "./boards.ts";

const estimate = (value: number) => ({ value, interval: null, n: 1, coverage: 1 });

/** Boards and entries with only the fields that are joined. */
const aBoard = (runs: readonly string[]) =>
  ({
    entries: runs.map((run) => ({ run, metrics: { f1: estimate(1) } })),
  }) as unknown as Leaderboard;

it("joinRuns() adds all metrics of each entry's run, and keeps those of the board", () => {
  const runs = [{ id: "a", metrics: { f1: estimate(0), latencyP95: estimate(250) } }];
  const [board] = joinRuns([aBoard(["a", "unknown"])], runs);
  expect(board?.entries.map(({ metrics }) => metrics)).toEqual([
    { f1: estimate(1), latencyP95: estimate(250) },
    { f1: estimate(1) },
  ]);
});

it("joinRuns() keeps entries unchanged if their run has no metrics", () => {
  const [board] = joinRuns([aBoard(["a"])], [{ id: "a", metrics: null }]);
  expect(board?.entries[0]?.metrics).toEqual({ f1: estimate(1) });
});

const zero = { value: 0, interval: [0, 0], n: 3, coverage: 0 };
const entry = (run: string) => ({ run, headline: zero, metrics: { eqs: zero }, coverage: 0 });
const board = { entries: [entry("silent"), entry("poor")] } as unknown as Parameters<
  typeof withoutSilentFigures
>[0];
const aRun = (id: string, failed: number) =>
  ({ id, metrics: {}, progress: { total: 3, done: 3, failed } }) as unknown as Run;

it("withoutSilentFigures() removes the values of runs without answers, and no others", () => {
  const [silent, poor] = withoutSilentFigures(board, [aRun("silent", 3), aRun("poor", 2)]).entries;
  expect(silent).toMatchObject({ headline: { value: null, interval: null, n: 3 }, metrics: {} });
  expect(poor).toEqual(entry("poor"));
});
