import type { Leaderboard } from "#shared/contracts/boards/leaderboard.ts";
import type { Snapshot } from "#shared/contracts/boards/snapshot.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { suiteById } from "#shared/suites/registry.ts";
import { metricOf } from "../metrics.ts";

export interface BoardPage {
  board: Leaderboard;
  path: string;
  /** Other configurations of the same suite and dataset. */
  others: { board: Leaderboard; path: string }[];
}

/**
 * A page for each board. At the address of suite and dataset: the default board of the newest dataset version that was
 * not superseded and ranks by the suite's headline; all others at their own ids.
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

/** A suite with its board on the home page, and its other datasets' boards. */
interface HomeBoard {
  suite: Pick<Suite, "id" | "label" | "question">;
  /** The board of the configured dataset, else the default board that ranks most models; null without boards. */
  page: BoardPage | null;
  others: BoardPage[];
}

const ranked = ({ board }: BoardPage): number =>
  board.entries.filter(({ rank }) => rank !== null).length;

/** One board for each suite, in the order of the suites; of equal boards the first by path. */
export function homeBoards(
  suites: readonly HomeBoard["suite"][],
  pages: readonly BoardPage[],
  firstDatasets: ReadonlyMap<string, string> = new Map(),
): HomeBoard[] {
  return suites.map((suite) => {
    const own = pages.filter(({ board }) => board.suite === suite.id);
    const isFirst = ({ board }: BoardPage) =>
      Number(board.dataset.name === firstDatasets.get(suite.id));
    const [page = null, ...others] = own.toSorted(
      (a, b) => isFirst(b) - isFirst(a) || ranked(b) - ranked(a) || a.path.localeCompare(b.path),
    );
    return { suite, page, others };
  });
}

const traits: readonly { name: string; of: (board: Leaderboard) => string | number }[] = [
  { name: "dataset version", of: ({ dataset }) => dataset.version.slice(0, 12) },
  { name: "scoring", of: ({ scoringVersion }) => scoringVersion.slice(0, 12) },
  { name: "prompt", of: ({ promptHash }) => promptHash.slice(0, 12) },
  { name: "structured output", of: ({ structuredOutput }) => structuredOutput },
  { name: "repeats", of: ({ repeats }) => repeats },
  { name: "ranked by", of: ({ suite, headline }) => metricOf(suite, headline).label.toLowerCase() },
];

/**
 * The differences of a board from its dataset's standard board, such as `structured output none`; empty if there are
 * none.
 */
export const boardDifferences = (board: Leaderboard, standard: Leaderboard): string[] =>
  traits.flatMap(({ name, of }) => (of(board) === of(standard) ? [] : [`${name} ${of(board)}`]));
