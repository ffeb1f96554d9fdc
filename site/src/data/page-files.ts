import type { ListedRun } from "#shared/contracts/run.ts";
import { viewPages } from "./boards/board-views.ts";
import { boardPages, defaultBoards } from "./boards/boards.ts";
import { tagPages } from "./boards/tag-table.ts";
import { allDatasets } from "./datasets.ts";
import { runs, sweeps } from "./results.ts";
import { type ModelPage, modelPages } from "./runs/models.ts";
import { sweepMetrics } from "./runs/sweeps.ts";
import { FEWEST_FILES, settings } from "./settings.ts";

const others =
  boardPages.length +
  // Their feeds.
  defaultBoards.length +
  viewPages.length +
  tagPages.length +
  allDatasets.length +
  sweeps.flatMap(sweepMetrics).length;

/** Files for models and runs. */
const left = roomFor(others, settings.files);

/** Models with a page: those with the newest runs, which are listed first, up to the site's limit of files. */
export const modelsWithPage: readonly ModelPage[] = modelPages.slice(0, left);

/**
 * Runs with their own page, up to the remaining number of files: those on the pages of boards, then the newest. At
 * the addresses of others the service answers with the page that draws any run.
 */
export const runsWithPage: readonly ListedRun[] = firstOf(
  runs,
  new Set(boardPages.flatMap(({ board }) => board.entries.map(({ run }) => run))),
  left - modelsWithPage.length,
);

/** Files left for other pages. Throws, before a file is written, if `others` alone are too many. */
export function roomFor(others: number, most: number): number {
  const left = most - FEWEST_FILES - others;
  if (left >= 0) return left;
  throw new Error(
    `boards, datasets, tags and sweeps have ${others} pages, and the site has room for ${most - FEWEST_FILES} (ASSAY_SITE_FILES is ${most}): delete datasets that are not needed (assay dataset delete NAME), or use a plan with more files`,
  );
}

/** A limited number of runs, those that are `shown` first, each part in the order of `all`. */
export function firstOf<R extends Pick<ListedRun, "id">>(
  all: readonly R[],
  shown: ReadonlySet<string>,
  count: number,
): R[] {
  const isFirst = ({ id }: R) => shown.has(id);
  return [...all.filter(isFirst), ...all.filter((run) => !isFirst(run))].slice(0, count);
}
