import { expect, it } from "vitest";
import type { Leaderboard } from "#shared/contracts/leaderboard.ts";
import { joinRuns } from "./join-runs.ts";

const estimate = (value: number) => ({ value, interval: null, n: 1, coverage: 1 });

/** Of boards and entries only what is joined. */
const aBoard = (runs: readonly string[]) =>
  ({
    entries: runs.map((run) => ({ run, metrics: { f1: estimate(1) } })),
  }) as unknown as Leaderboard;

it("joinRuns() gives each entry all metrics of its run, and keeps what the board says", () => {
  const runs = [{ id: "a", metrics: { f1: estimate(0), latencyP95: estimate(250) } }];
  const [board] = joinRuns([aBoard(["a", "unknown"])], runs);
  expect(board?.entries.map(({ metrics }) => metrics)).toEqual([
    { f1: estimate(1), latencyP95: estimate(250) },
    { f1: estimate(1) },
  ]);
});

it("joinRuns() leaves entries of runs without metrics as they are", () => {
  const [board] = joinRuns([aBoard(["a"])], [{ id: "a", metrics: null }]);
  expect(board?.entries[0]?.metrics).toEqual({ f1: estimate(1) });
});
