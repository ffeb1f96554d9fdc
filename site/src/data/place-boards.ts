import type { Leaderboard } from "#shared/contracts/leaderboard.ts";
import type { Snapshot } from "#shared/contracts/snapshot.ts";
import { suiteById } from "./suites.ts";

export interface BoardPage {
  board: Leaderboard;
  path: string;
  /** Other configurations of the same suite and dataset. */
  others: { board: Leaderboard; path: string }[];
}

/**
 * A page for each board: at its suite's and dataset's address the default one of the newest dataset
 * version that was not superseded and, where some targets rank by another metric, ranks by its suite's headline;
 * at their own ids the others.
 */
export function placeBoards({
  boards,
  datasets,
}: Pick<Snapshot, "boards" | "datasets">): BoardPage[] {
  const dates = new Map(datasets.map((set) => [`${set.suite} ${set.version}`, set.createdAt]));
  const dateOf = ({ suite, dataset }: Leaderboard): string =>
    dates.get(`${suite} ${dataset.version}`) ?? "";
  const byPrecedence = (a: Leaderboard, b: Leaderboard): number =>
    Number(a.supersededBy !== null) - Number(b.supersededBy !== null) ||
    Number(b.isDefault) - Number(a.isDefault) ||
    dateOf(b).localeCompare(dateOf(a)) ||
    Number(ranksByOther(a)) - Number(ranksByOther(b)) ||
    a.id.localeCompare(b.id);
  const groups = Map.groupBy(boards, ({ suite, dataset }) => `${suite}/${dataset.name}`);
  return [...groups].flatMap(([name, group]) => {
    const placed = group.toSorted(byPrecedence).map((board, index) => ({
      board,
      path: index === 0 ? `/leaderboards/${name}/` : `/boards/${board.id}/`,
    }));
    return placed.map((page) => ({ ...page, others: placed.filter((other) => other !== page) }));
  });
}

/** Whether a board ranks by another metric than its suite's headline, as one of hybrid targets may. */
const ranksByOther = ({ suite, headline }: Leaderboard): boolean =>
  headline !== (suiteById(suite)?.headline ?? headline);
