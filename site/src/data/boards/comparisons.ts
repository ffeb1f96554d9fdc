import type { Comparison } from "#shared/contracts/boards/comparison.ts";
import { inParallel } from "#shared/contracts/boards/in-parallel.ts";
import type { Leaderboard } from "#shared/contracts/boards/leaderboard.ts";
import { settings } from "../settings.ts";
import { openSource } from "../source.ts";
import { defaultBoards } from "./boards.ts";

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

/** The runs of a board that are compared pair by pair, in the order that the API takes them. */
export interface ComparisonRequest {
  board: string;
  /** A run is immutable until it is scored again, so these three identify the data of a comparison. */
  runs: { run: string; finishedAt: string; scoringVersion: string }[];
}

/** As many runs as the API compares at once. */
export const mostCompared = 20;

/** The first ranked runs of a board; null where there are no two. */
export function comparisonRequest({
  id,
  entries,
}: Pick<Leaderboard, "id" | "entries">): ComparisonRequest | null {
  const ranked = entries.filter(({ rank }) => rank !== null).slice(0, mostCompared);
  if (ranked.length < 2) return null;
  return {
    board: id,
    runs: ranked
      .map(({ run, finishedAt, scoringVersion }) => ({ run, finishedAt, scoringVersion }))
      .sort((a, b) => (a.run < b.run ? -1 : 1)),
  };
}
