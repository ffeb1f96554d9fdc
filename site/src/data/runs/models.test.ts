import { expect, it } from "vitest";
import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import { simulatedModels } from "./models.ts";

const entry = (rank: number | null, simulated: boolean) =>
  ({ rank, model: { simulated } }) as LeaderboardEntry;

it.each([
  ["none", []],
  ["none", [entry(1, false)]],
  ["all", [entry(1, true), entry(null, true)]],
  ["ranked", [entry(1, true), entry(null, false)]],
  ["some", [entry(1, true), entry(2, false)]],
  ["some", [entry(1, false), entry(null, true)]],
  ["some", [entry(null, true), entry(null, false)]],
] as const)("simulatedModels() is %s of %j", (which, entries) => {
  expect(simulatedModels(entries)).toBe(which);
});
