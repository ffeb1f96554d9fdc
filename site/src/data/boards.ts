import { joinRuns } from "./join-runs.ts";
import { type BoardPage, placeBoards } from "./place-boards.ts";
import { snapshot } from "./results.ts";
import { withoutSilentFigures } from "./without-silent-figures.ts";

export const boardPages: readonly BoardPage[] = placeBoards({
  boards: joinRuns(snapshot.boards, snapshot.runs).map((board) =>
    withoutSilentFigures(board, snapshot.runs),
  ),
  datasets: snapshot.datasets,
});

export const defaultBoards = boardPages.filter(({ path }) => path.startsWith("/leaderboards/"));
export const otherBoards = boardPages.filter(({ path }) => path.startsWith("/boards/"));

/** The page of the board that lists a run, if one does. */
export const boardOfRun = (runId: string): BoardPage | undefined =>
  boardPages.find(({ board }) => board.entries.some(({ run }) => run === runId));
