import type { TagFigure } from "#shared/contracts/suite.ts";
import { defaultBoards } from "./boards.ts";
import { paths } from "./paths.ts";
import type { BoardPage } from "./place-boards.ts";
import { runs } from "./results.ts";
import { suiteById } from "./suites.ts";
import { type TagTable, tagTables } from "./tag-table.ts";

/** A board's headline by the values of one tag. */
export interface BoardTag {
  table: TagTable;
  path: string;
}

const runsById = new Map(runs.map((run) => [run.id, run]));

function tagsOfBoard({ board }: BoardPage): BoardTag[] {
  const suite = suiteById(board.suite);
  const figuresOf = (run: string): readonly TagFigure[] =>
    suite?.tagFigures?.(runsById.get(run)?.breakdown, board.headline) ?? [];
  const ranked = board.entries.filter(({ rank }) => rank !== null);
  return tagTables(ranked, figuresOf).map((table) => ({
    table,
    path: paths.tag(board.suite, table.slug, board.dataset.name),
  }));
}

const byBoard = new Map(defaultBoards.map((page) => [page.board.id, tagsOfBoard(page)]));

/** The tags of a board's dataset that tell parts of it apart; only default boards have pages of them. */
export const tagsOf = ({ board }: BoardPage): readonly BoardTag[] => byBoard.get(board.id) ?? [];

/** A page for each of these tags. */
export const tagPages = defaultBoards.flatMap((page) =>
  tagsOf(page).map(({ table }) => ({ page, table })),
);
