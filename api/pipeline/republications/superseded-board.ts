import type { BoardRecord, Ports, RunRecord } from "../ports.ts";
import { republishLate } from "./republish-board.ts";

/**
 * Keeps a board that was superseded as it was, but for runs that were withdrawn since. What finished on it
 * afterwards goes to the board that its answers would be on now.
 */
export async function keepSuperseded(ports: Ports, board: BoardRecord): Promise<void> {
  const runs = await ports.runs.finishedOnBoard(board.id);
  for (const run of runs) if (isLate(run, board)) await republishLate(ports, run);
  const inView = await ports.runs.inView(board.entries.map(({ run }) => run));
  const entries = board.entries.filter(({ run }) => inView.has(run));
  const { comparedSamples } = board;
  // Tests are of pairs by their places.
  const tests = entries.length < board.entries.length ? null : board.tests;
  await ports.boards.write(board.id, { entries, comparedSamples, tests }, ports.now());
}

const isLate = ({ finishedAt }: RunRecord, { supersededAt }: BoardRecord): boolean =>
  (finishedAt ?? 0) > (supersededAt ?? Number.POSITIVE_INFINITY);
