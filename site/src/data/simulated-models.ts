import type { LeaderboardEntry } from "#shared/contracts/leaderboard.ts";

/** Which models of a board are programs; "ranked": all but some that are listed without a rank. */
export function simulatedModels(
  entries: readonly Pick<LeaderboardEntry, "rank" | "model">[],
): "all" | "ranked" | "some" | "none" {
  const simulated = entries.filter(({ model }) => model.simulated);
  if (simulated.length === 0) return "none";
  if (simulated.length === entries.length) return "all";
  const ranked = entries.filter(({ rank }) => rank !== null);
  return ranked.length > 0 && ranked.every(({ model }) => model.simulated) ? "ranked" : "some";
}
