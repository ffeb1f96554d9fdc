import { expect, it } from "vitest";
import type { Leaderboard } from "#shared/contracts/leaderboard.ts";
import { boardDifferences } from "./board-differences.ts";

const standard = {
  suite: "tools",
  headline: "avgF1",
  dataset: { name: "stock", version: "a".repeat(64), samples: 1 },
  scoringVersion: "b".repeat(64),
  promptHash: "c".repeat(64),
  structuredOutput: "auto",
  repeats: 1,
} as Leaderboard;

it("boardDifferences() names what is not as on the standard board", () => {
  expect(boardDifferences({ ...standard, id: "other" }, standard)).toEqual([]);
  expect(
    boardDifferences({ ...standard, promptHash: "d".repeat(64), repeats: 3 }, standard),
  ).toEqual(["prompt dddddddddddd", "repeats 3"]);
  expect(boardDifferences({ ...standard, headline: "total" }, standard)).toEqual([
    "ranked by total",
  ]);
});
