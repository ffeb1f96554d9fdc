import type { Leaderboard, LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import type { Run } from "#shared/contracts/run.ts";
import { isUnanswered } from "#shared/measures/report/run/is-unanswered.ts";
import { suites } from "#shared/suites/registry.ts";
import { paths } from "../paths.ts";
import { contentDigest, knowDigest } from "../render-cache.ts";
import { snapshot } from "../results.ts";
import { type BoardPage, placeBoards } from "./place-boards.ts";

/**
 * Boards whose entries have every metric of their runs: the API's entries have only those that a suite shows on its
 * boards. Entries of other runs are unchanged.
 */
export function joinRuns(
  boards: readonly Leaderboard[],
  runs: readonly Pick<Run, "id" | "metrics">[],
): Leaderboard[] {
  const metricsById = new Map(runs.map(({ id, metrics }) => [id, metrics]));
  return boards.map((board) => ({
    ...board,
    entries: board.entries.map((entry) => ({
      ...entry,
      metrics: { ...metricsById.get(entry.run), ...entry.metrics },
    })),
  }));
}

/** Entries on a page of a board. */
export const mostShown = 100;
/** Pages of a board; the API has entries beyond them. */
export const mostTablePages = 10;

const boards = joinRuns(snapshot.boards, snapshot.runs).map((board) =>
  withoutSilentFigures(board, snapshot.runs),
);
// An entry is an input of many pages, and its metrics are thousands of small objects.
for (const entry of boards.flatMap(({ entries }) => entries)) {
  knowDigest(entry, contentDigest(entry));
}

export const boardPages: readonly BoardPage[] = placeBoards({
  boards: boards.map((board) => ({ ...board, entries: board.entries.slice(0, mostShown) })),
  datasets: snapshot.datasets,
});

/** All entries of boards, on their pages or not, by board. */
export const entriesOfBoard: ReadonlyMap<string, readonly LeaderboardEntry[]> = new Map(
  boards.map(({ id, entries }) => [id, entries]),
);

/** A dataset's current board is first among its boards, so it is set last. */
const boardsByRun = new Map(
  boardPages
    .toReversed()
    .flatMap((page) =>
      (entriesOfBoard.get(page.board.id) ?? []).map(({ run }) => [run, page] as const),
    ),
);

/** In the order of the suites. */
export const defaultBoards = suites.flatMap(({ id }) =>
  boardPages.filter(({ board, path }) => board.suite === id && path.startsWith("/leaderboards/")),
);
export const otherBoards = boardPages.filter(({ path }) => path.startsWith("/boards/"));

/** The page of the board that lists a run, if one does. */
export const boardOfRun = (runId: string): BoardPage | undefined => boardsByRun.get(runId);

export function boardRanking(runId: string): { id: string; path: string } | undefined {
  const page = boardOfRun(runId);
  const entries = page && entriesOfBoard.get(page.board.id);
  const isRanked = entries?.some(({ run, rank }) => run === runId && rank !== null);
  return page && isRanked ? { id: page.board.id, path: page.path } : undefined;
}

/**
 * A board without the values of runs without any answer: these follow from the rules for failed requests, such as a
 * hallucination rate of 100%, and say nothing about the model.
 */
export function withoutSilentFigures<Board extends Pick<Leaderboard, "entries">>(
  board: Board,
  runs: readonly Pick<Run, "id" | "metrics" | "progress">[],
): Board {
  const silent = new Set(runs.filter(isUnanswered).map(({ id }) => id));
  const entries = board.entries.map((entry) =>
    silent.has(entry.run)
      ? { ...entry, headline: { ...entry.headline, value: null, interval: null }, metrics: {} }
      : entry,
  );
  return { ...board, entries };
}

/** A page of a board's table after its first. */
export interface TablePage {
  page: BoardPage;
  /** Counted from 2. */
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
