import { entryPages, storePages } from "../boards/board-pages.ts";
import type { BoardRecord, Ports } from "../platform/ports.ts";
import { republishLate } from "./republish-board.ts";

/**
 * Keeps a board that was superseded as it was, but for runs that were withdrawn since. What finished on it
 * afterwards goes to the board that its answers would be on now.
 */
export async function keepSuperseded(ports: Ports, board: BoardRecord): Promise<void> {
  const late = await ports.runs.finishedOnBoard(board.id, board.supersededAt ?? ports.now());
  for (const run of late) await republishLate(ports, run);
  let isWhole = true;
  async function* inView() {
    for await (const entries of entryPages(ports, board)) {
      const seen = await ports.runs.inView(entries.map(({ run }) => run));
      const shown = entries.filter(({ run }) => seen.has(run));
      if (shown.length < entries.length) isWhole = false;
      yield shown;
    }
  }
  const pages = await storePages(ports, board, inView());
  const { comparedSamples } = board;
  // Tests are of pairs by their places.
  const tests = isWhole ? board.tests : null;
  await ports.boards.write(board.id, { ...pages, comparedSamples, tests }, ports.now());
}
