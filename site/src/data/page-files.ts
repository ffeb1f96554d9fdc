import type { ListedRun } from "#shared/contracts/run.ts";
import { viewPages } from "./boards/board-views.ts";
import { boardPages, defaultBoards, laterTablePages } from "./boards/boards.ts";
import { tagPages } from "./boards/tag-table.ts";
import { allDatasets } from "./datasets.ts";
import { runs, snapshot, sweeps } from "./results.ts";
import { type ModelPage, modelPages } from "./runs/models.ts";
import { sweepMetrics } from "./runs/sweeps.ts";
import { FEWEST_FILES, type FileCounts, settings } from "./settings.ts";

/**
 * Runs of each board, and their models, that have their own picture; others show the board's picture, with their score
 * in title and description. Pictures are drawn by sharp at build time: drawing on request would need a renderer and
 * fonts in the API's Worker, about 1 MB of the 3 MB that the free plan allows.
 */
export const CARDS_PER_BOARD = 10;

const cards = boardPages.reduce(
  (sum, { board }) => sum + 1 + 2 * Math.min(CARDS_PER_BOARD, board.entries.length),
  0,
);

const others =
  boardPages.length +
  cards +
  // Feeds of these boards.
  defaultBoards.length +
  // Tables for other sites, and the comparisons of the first two models with a card.
  3 * defaultBoards.length +
  laterTablePages.length +
  viewPages.length +
  tagPages.length +
  allDatasets.length +
  snapshot.parities.length +
  sweeps.flatMap(sweepMetrics).length;

/** Files for models and runs. */
const left = roomFor(others, settings.files);

const shown = boardPages.flatMap(({ board }) => board.entries);

/**
 * Models with a page, up to the remaining number of files: first those on pages of boards, then those with the newest
 * runs, which are listed first.
 */
export const modelsWithPage: readonly ModelPage[] = firstOf(
  modelPages,
  new Set(shown.map(({ model }) => model.slug)),
  left,
  ({ model }) => model.slug,
);

/**
 * Runs with their own page, up to the remaining number of files: first those on pages of boards, then the newest. At
 * the addresses of other runs, the service answers with the page that renders any run.
 */
export const runsWithPage: readonly ListedRun[] = firstOf(
  runs,
  new Set(shown.map(({ run }) => run)),
  left - modelsWithPage.length,
  ({ id }) => id,
);

/** Runs with a page of their samples, up to the remaining number of files; those on pages of boards first. */
export const runsWithSamples: readonly ListedRun[] = firstOf(
  runsWithPage.filter(({ status, hiddenSamples }) => status === "finished" && !hiddenSamples),
  new Set(shown.map(({ run }) => run)),
  Math.max(0, left - modelsWithPage.length - runsWithPage.length),
  ({ id }) => id,
);

const withSamples = new Set(runsWithSamples.map(({ id }) => id));

export const hasSamplesPage = ({ id }: Pick<ListedRun, "id">): boolean => withSamples.has(id);

/**
 * Files left for other pages: 0 if `others` need more than usual. Throws before any file is written if they are too
 * many.
 */
export function roomFor(others: number, { usual, most }: FileCounts): number {
  const needed = FEWEST_FILES + others;
  if (needed <= most) return Math.max(0, usual - needed);
  throw new Error(
    `boards, datasets, tags, sweeps and parities need ${needed} files, and the site may have ${most}: delete datasets that are not needed (assay dataset delete NAME --yes), or use a plan with more files`,
  );
}

/** At most `count` of `all`: first those whose `key` is `shown`, then the others, each in the order of `all`. */
export function firstOf<T>(
  all: readonly T[],
  shown: ReadonlySet<string>,
  count: number,
  key: (one: T) => string,
): T[] {
  const isFirst = (one: T) => shown.has(key(one));
  return [...all.filter(isFirst), ...all.filter((one) => !isFirst(one))].slice(0, count);
}
