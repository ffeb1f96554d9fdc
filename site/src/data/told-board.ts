import type { Leaderboard } from "#shared/contracts/leaderboard.ts";
import { intervalBasis } from "#shared/measures/report/interval-basis.ts";

/** A board as readers get it: without tie groups where its tests rest on too few clusters to tell models apart. */
export function toldBoard<Board extends Pick<Leaderboard, "entries" | "tests">>(
  board: Board,
): Board {
  const isFew = board.tests !== null && intervalBasis(board.tests.units)?.isFew === true;
  if (!isFew) return board;
  return { ...board, entries: board.entries.map((entry) => ({ ...entry, tieGroup: null })) };
}
