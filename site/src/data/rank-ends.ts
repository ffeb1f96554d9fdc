import type { LeaderboardEntry } from "#shared/contracts/leaderboard.ts";

/**
 * A rank's interval as `1–3`; null where there is none. Ends between two ranks, of a percentile between
 * two draws, go to the outer one.
 */
export function rankEnds({ rankInterval }: Pick<LeaderboardEntry, "rankInterval">): string | null {
  if (rankInterval === null) return null;
  const [low, high] = rankInterval;
  return `${Math.floor(low)}–${Math.ceil(high)}`;
}
