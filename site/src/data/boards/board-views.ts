import type { View } from "#shared/contracts/suite.ts";
import { suiteById } from "#shared/suites/registry.ts";
import { datasetPath } from "../datasets.ts";
import { paths } from "../paths.ts";
import { runsById } from "../results.ts";
import { defaultBoards, entriesOfBoard } from "./boards.ts";
import type { BoardPage } from "./place-boards.ts";
import { boardPath, republications } from "./republications.ts";
import { tagsOf } from "./tag-table.ts";

/** A board for readers with one purpose. */
export interface BoardView {
  view: View;
  path: string;
}

/** The views of a board; only default boards have pages of them, once a model is ranked. */
export function viewsOf({ board, path }: BoardPage): BoardView[] {
  const isEmpty = board.entries.every(({ rank }) => rank === null);
  if (isEmpty || !path.startsWith(paths.leaderboards)) return [];
  const views = suiteById(board.suite)?.views ?? [];
  return views.map((view) => ({
    view,
    path: paths.view(board.suite, view.id, board.dataset.name),
  }));
}

/** A page for each view of each default board. */
export const viewPages = defaultBoards.flatMap((page) =>
  viewsOf(page).map(({ view, path }) => ({ page, view, path })),
);

const moved = republications.map((one) => [
  one,
  boardPath(one.from.board),
  boardPath(one.to.board),
]);

export const boardInputs = (page: BoardPage) => ({
  page,
  all: entriesOfBoard.get(page.board.id),
  runs: page.board.entries.map(({ run }) => runsById.get(run)),
  tags: tagsOf(page),
  dataset: datasetPath(page.board.suite, page.board.dataset.name),
  moved: [moved, boardPath(page.board.supersededBy)],
});
