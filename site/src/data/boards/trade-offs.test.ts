import { expect, it } from "vitest";
import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import { tradeOffs } from "./trade-offs.ts";

const estimate = (value: number | null) => ({ value, interval: null, n: 1, coverage: 1 });

const anEntry = (name: string, value: number, ms: number | null, rank: number | null = 1) =>
  ({
    model: { name },
    rank,
    headline: estimate(value),
    metrics: { ms: estimate(ms) },
  }) as unknown as LeaderboardEntry;

const found = (entries: LeaderboardEntry[], better: "higher" | "lower" = "higher") =>
  tradeOffs(entries, { better }, "ms").map(({ label, isFrontier }) => [label, isFrontier]);

it("tradeOffs() marks models that no other model beats on both values", () => {
  const entries = [anEntry("a", 0.9, 900), anEntry("b", 0.8, 950), anEntry("c", 0.7, 100)];
  expect(found(entries)).toEqual([
    ["a", true],
    ["b", false],
    ["c", true],
  ]);
});

it("tradeOffs() handles a headline where lower is better", () => {
  const entries = [anEntry("a", 0.1, 900), anEntry("b", 0.8, 950)];
  expect(found(entries, "lower")).toEqual([
    ["a", true],
    ["b", false],
  ]);
});

it("tradeOffs() omits models without a rank or one of the values", () => {
  const left = [anEntry("c", 1, null), anEntry("d", 1, 1, null)];
  expect(found([anEntry("a", 0.9, 900), anEntry("b", 0.8, 300), ...left])).toHaveLength(2);
  expect(found([anEntry("a", 0.9, 900), ...left])).toEqual([]);
});
