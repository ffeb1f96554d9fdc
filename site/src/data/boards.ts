import type { LeaderboardEntry } from "#shared/contracts/leaderboard.ts";
import { joinRuns } from "./join-runs.ts";
import { type BoardPage, placeBoards } from "./place-boards.ts";
import { snapshot } from "./results.ts";
import { withoutSilentFigures } from "./without-silent-figures.ts";

/** Entries that a board's page shows; the API has the others. */
const MOST_SHOWN = 100;

const boards = joinRuns(snapshot.boards, snapshot.runs).map((board) =>
  withoutSilentFigures(board, snapshot.runs),
);

export const boardPages: readonly BoardPage[] = placeBoards({
  boards: boards.map((board) => ({ ...board, entries: board.entries.slice(0, MOST_SHOWN) })),
  datasets: snapshot.datasets,
});

/** All entries of boards, on their pages or not, by board. */
export const entriesOfBoard: ReadonlyMap<string, readonly LeaderboardEntry[]> = new Map(
  boards.map(({ id, entries }) => [id, entries]),
);

const boardsByRun = new Map(
  boardPages.flatMap((page) =>
    (entriesOfBoard.get(page.board.id) ?? []).map(({ run }) => [run, page] as const),
  ),
);

export const defaultBoards = boardPages.filter(({ path }) => path.startsWith("/leaderboards/"));
export const otherBoards = boardPages.filter(({ path }) => path.startsWith("/boards/"));

/** The page of the board that lists a run, if one does. */
export const boardOfRun = (runId: string): BoardPage | undefined => boardsByRun.get(runId);
