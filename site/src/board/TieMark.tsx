import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";

interface Props {
  entry: Pick<LeaderboardEntry, "rank" | "tieGroup">;
}

export const TieMark = ({ entry: { rank, tieGroup } }: Props) => {
  if (tieGroup === null || rank === 1) return null;
  if (tieGroup === 1) return <i title="not significantly different from first">≈</i>;
  return <i title={`tie group ${tieGroup}`}>tie {tieGroup}</i>;
};
