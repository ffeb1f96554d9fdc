import type { Suite } from "#shared/contracts/suite.ts";
import type { BoardPage } from "./place-boards.ts";

/** A suite with the board that stands for it on the first page, and its other datasets' boards. */
export interface HomeBoard {
  suite: Pick<Suite, "id" | "label" | "question">;
  /** That of the dataset which was put first, else the default board that ranks most models; null without any. */
  page: BoardPage | null;
  others: BoardPage[];
}

const ranked = ({ board }: BoardPage): number =>
  board.entries.filter(({ rank }) => rank !== null).length;

/** One board a suite, in the order of the suites; of equal ones the first by path. */
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
