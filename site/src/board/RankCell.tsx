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

/** Whether a model is tied with the first, or with others. */
export const TieMark = ({
  entry: { rank, tieGroup },
}: {
  entry: Pick<LeaderboardEntry, "rank" | "tieGroup">;
}) => {
  if (tieGroup === null || rank === 1) return null;
  if (tieGroup === 1) return <i title="not significantly different from first">≈</i>;
  return <i title={`tie group ${tieGroup}`}>tie {tieGroup}</i>;
};
