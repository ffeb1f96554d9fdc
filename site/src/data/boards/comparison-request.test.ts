import { expect, it } from "vitest";
import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import { comparisonRequest, mostCompared } from "./comparison-request.ts";

const anEntry = (run: string, rank: number | null) =>
  ({ run, rank, finishedAt: "2026-01-01T00:00:00Z", scoringVersion: "s" }) as LeaderboardEntry;

it("comparisonRequest() lists the ranked runs by id", () => {
  const entries = [anEntry("c", 1), anEntry("a", 2), anEntry("b", null)];
  expect(comparisonRequest({ id: "board", entries })).toEqual({
    board: "board",
    runs: ["a", "c"].map((run) => ({
      run,
      finishedAt: "2026-01-01T00:00:00Z",
      scoringVersion: "s",
    })),
  });
});

it("comparisonRequest() lists only the top runs of many", () => {
  const entries = Array.from({ length: 30 }, (_, i) => anEntry(`run-${99 - i}`, i + 1));
  const runs = comparisonRequest({ id: "board", entries })?.runs.map(({ run }) => run);
  expect(runs).toHaveLength(mostCompared);
  expect([runs?.[0], runs?.at(-1)]).toEqual(["run-80", "run-99"]);
});

it("comparisonRequest() is null without two ranked runs", () => {
  expect(comparisonRequest({ id: "b", entries: [anEntry("a", 1), anEntry("c", null)] })).toBeNull();
});
