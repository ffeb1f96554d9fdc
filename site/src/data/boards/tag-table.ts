import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import { textHash } from "#shared/contracts/content-hash.ts";
import type { TagFigure } from "#shared/contracts/suite.ts";
import { paths } from "../paths.ts";
import { runsById, tagFigures } from "../results.ts";
import { defaultBoards } from "./boards.ts";
import type { BoardPage } from "./place-boards.ts";

/** The headline of a board's models by the values of one tag. */
export interface TagTable {
  tag: string;
  /** Part of an address. */
  slug: string;
  /** Values by number of samples, descending. */
  values: readonly { name: string; n: number }[];
  /** Number of values that are not shown, because there are too many. */
  left: number;
  rows: readonly { entry: LeaderboardEntry; figures: readonly (TagFigure | null)[] }[];
}

/** Maximum readable columns. */
const mostValues = 24;

/** A tag as part of an address: unchanged if possible, else its hash. */
export const tagSlug = (tag: string): string =>
  /^[a-z0-9][a-z0-9_-]{0,39}$/.test(tag) ? tag : `tag-${textHash(tag).slice(0, 12)}`;

/**
 * A table for each tag with at least two values. `figuresOf` returns the values of a run; entries of runs without
 * values are omitted.
 */
export function tagTables(
  entries: readonly LeaderboardEntry[],
  figuresOf: (run: string) => readonly TagFigure[],
): TagTable[] {
  const known = entries.map((entry) => ({ entry, figures: figuresOf(entry.run) }));
  const tags = new Set(known.flatMap(({ figures }) => figures.map(({ tag }) => tag)));
  return [...tags].flatMap((tag) => {
    const of = known.flatMap(({ entry, figures }) => {
      const its = figures.filter((figure) => figure.tag === tag);
      return its.length === 0 ? [] : [{ entry, its }];
    });
    const all = valuesOf(of.map(({ its }) => its));
    if (all.length < 2) return [];
    const values = all.slice(0, mostValues);
    const rows = of.map(({ entry, its }) => ({
      entry,
      figures: values.map(({ name }) => its.find((figure) => figure.name === name) ?? null),
    }));
    return [{ tag, slug: tagSlug(tag), values, left: all.length - values.length, rows }];
  });
}

/** Each value with the largest number of answers of any model. */
function valuesOf(figures: readonly (readonly TagFigure[])[]): TagTable["values"][number][] {
  const counts = new Map<string, number>();
  for (const { name, n } of figures.flat()) counts.set(name, Math.max(n, counts.get(name) ?? 0));
  return [...counts]
    .map(([name, n]) => ({ name, n }))
    .sort((a, b) => b.n - a.n || (a.name < b.name ? -1 : 1));
}

/** A board's headline by the values of one tag. */
interface BoardTag {
  table: TagTable;
  path: string;
}

const figures = new Map<string, readonly TagFigure[]>();
for (const { entries } of defaultBoards.map(({ board }) => board)) {
  for (const { run } of entries) {
    const listed = runsById.get(run);
    if (listed !== undefined) figures.set(run, await tagFigures(listed));
  }
}

function tagsOfBoard({ board }: BoardPage): BoardTag[] {
  const figuresOf = (run: string) => figures.get(run) ?? [];
  const ranked = board.entries.filter(({ rank }) => rank !== null);
  return tagTables(ranked, figuresOf).map((table) => ({
    table,
    path: paths.tag(board.suite, table.slug, board.dataset.name),
  }));
}

const byBoard = new Map(defaultBoards.map((page) => [page.board.id, tagsOfBoard(page)]));

/** The tags with several values in a board's dataset; only default boards have pages of them. */
export const tagsOf = ({ board }: BoardPage): readonly BoardTag[] => byBoard.get(board.id) ?? [];

/** A page for each of these tags. */
export const tagPages = defaultBoards.flatMap((page) =>
  tagsOf(page).map(({ table, path }) => ({ page, table, path })),
);
