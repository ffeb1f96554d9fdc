import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import { rankEnds } from "../data/boards/win-matrix.ts";
import { formatShare } from "../format/number.ts";

interface Props {
  entry: Pick<LeaderboardEntry, "rank" | "rankInterval" | "best">;
}

export const RankCell = ({ entry }: Props) => {
  const ends = rankEnds(entry);
  return (
    <td class="rank">
      <strong>{entry.rank ?? "–"}</strong>
      {ends && <i> {ends}</i>} {entry.best !== null && <small>{formatShare(entry.best)}</small>}
    </td>
  );
};
