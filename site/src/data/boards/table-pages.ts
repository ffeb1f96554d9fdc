import { paths } from "../paths.ts";
import { boardPages, entriesOfBoard, mostShown, mostTablePages } from "./boards.ts";
import type { BoardPage } from "./place-boards.ts";

/** A page of a board's table after its first. */
export interface TablePage {
  page: BoardPage;
  /** From 2. */
  number: number;
  path: string;
}

const countOf = ({ board }: BoardPage): number => {
  const ranked = (entriesOfBoard.get(board.id) ?? []).filter(({ rank }) => rank !== null);
  return Math.min(mostTablePages, Math.ceil(ranked.length / mostShown));
};

/** Paths of the pages of a board's table, that of its own page first. */
export const tablePages = (page: BoardPage): string[] =>
  Array.from({ length: countOf(page) }, (_, i) =>
    i === 0 ? page.path : paths.tablePage(page.board.id, i + 1),
  );

/** The pages of all boards' tables after the first. */
export const laterTablePages: readonly TablePage[] = boardPages.flatMap((page) =>
  tablePages(page).flatMap((path, i) => (i === 0 ? [] : [{ page, number: i + 1, path }])),
);
