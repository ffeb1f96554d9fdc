import type { RankChange, Republication } from "#shared/contracts/republication.ts";
import { boardPages } from "./boards.ts";
import { snapshot } from "./results.ts";

/** Re-publications that have finished, newest first. */
export const republications: readonly Republication[] = snapshot.republications;

/** Those whose answers a board holds. */
export const republicationsTo = (board: string): readonly Republication[] =>
  republications.filter(({ to }) => to.board === board);

/** The newest one of a board's answers. */
export const republicationFrom = (board: string): Republication | undefined =>
  republications.find(({ from }) => from.board === board);

/** Where a board's page is; undefined for one that the site does not have. */
export const boardPath = (board: string | null): string | undefined =>
  boardPages.find((page) => page.board.id === board)?.path;

/** Places won, with a sign; null where one of the ranks is missing. */
export function placesWon({ before, after }: RankChange): number | null {
  const rank = after?.rank ?? null;
  return before.rank === null || rank === null ? null : before.rank - rank;
}
