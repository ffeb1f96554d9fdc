import type { Comparison } from "#shared/contracts/boards/comparison.ts";
import { inParallel } from "#shared/contracts/boards/in-parallel.ts";
import { settings } from "../settings.ts";
import { openSource } from "../source.ts";
import { defaultBoards } from "./boards.ts";
import { comparisonRequest } from "./comparison-request.ts";

// A comparison takes the API seconds of CPU, so that more at once would only wait.
const parallelFetches = 4;

const source = openSource(settings);
const requests = defaultBoards.flatMap(({ board }) => comparisonRequest(board) ?? []);
const found = await inParallel(requests, parallelFetches, async (request) => ({
  board: request.board,
  comparison: await source.comparison(request),
}));
const byBoard = new Map(found.map(({ board, comparison }) => [board, comparison]));

/** The first runs of a board compared pair by pair; null where the API had no comparison for this build. */
export const comparisonOf = (board: string): Comparison | null => byBoard.get(board) ?? null;
