import type { Comparison } from "#shared/contracts/boards/comparison.ts";
import { inParallel } from "#shared/contracts/boards/in-parallel.ts";
import { settings } from "../settings.ts";
import { openSource } from "../source.ts";
import { comparisonRequest } from "./comparison-request.ts";
import type { BoardPage } from "./place-boards.ts";

// A comparison takes seconds of the API's CPU time, so more concurrent requests would only wait.
const parallelFetches = 4;

const source = openSource(settings);
const byBoard = new Map<string, Comparison | null>();

/** Preloads the comparisons of some boards. */
export async function fetchComparisons(pages: readonly BoardPage[]): Promise<void> {
  const requests = pages.flatMap(({ board }) =>
    byBoard.has(board.id) ? [] : (comparisonRequest(board) ?? []),
  );
  await inParallel(requests, parallelFetches, async (request) => {
    byBoard.set(request.board, await source.comparison(request));
  });
}

/**
 * The first runs of a board compared pair by pair; null if the API had no comparison for this build, undefined if
 * none was requested.
 */
export const comparisonOf = (board: string): Comparison | null | undefined => byBoard.get(board);
