import type { View } from "#shared/contracts/suite.ts";
import { paths } from "../paths.ts";
import { suiteById } from "../suites.ts";
import { defaultBoards } from "./boards.ts";
import type { BoardPage } from "./place-boards.ts";

/** A board as a reader with one purpose looks at it. */
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
