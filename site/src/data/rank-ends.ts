import type { LeaderboardEntry } from "#shared/contracts/leaderboard.ts";

/**
 * A rank's interval as `1–3`, `2` where both ends are one; null where there is none. Ends between two ranks, of a
 * percentile between two draws, go to the outer one.
 */
export function rankEnds({ rankInterval }: Pick<LeaderboardEntry, "rankInterval">): string | null {
  if (rankInterval === null) return null;
  const [low, high] = [Math.floor(rankInterval[0]), Math.ceil(rankInterval[1])];
  return low === high ? String(low) : `${low}–${high}`;
}
