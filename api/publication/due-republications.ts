import { boardMessage } from "../platform/messages.ts";
import type { Ports } from "../platform/ports.ts";
import { republishBoard } from "./republish-board.ts";

/** Boards that one sweep starts: each may have a hundred runs to store. */
const BOARDS_A_SWEEP = 5;

/** Runs that are older than this and still at work are not waited for: they are scored anew when they finish. */
const WAIT_MS = 3_600_000;

/** A re-publication without runs after so long was started by a service that died. */
const LOST_MS = 120_000;

/**
 * Goes on with re-publications, and starts those that are due: of boards whose dataset was corrected, and of
 * boards without judges whose suite has another version. Judges cost money, so theirs an admin starts.
 */
export async function sweepRepublications(ports: Ports): Promise<void> {
  for (const { id, submissionId, startedAt, toBoard } of await ports.republications.open()) {
    const isStored = (await ports.runs.submission(submissionId)) !== null;
    if (isStored) await ports.queues.finish(boardMessage(toBoard));
    else if (startedAt < ports.now() - LOST_MS) await ports.republications.abandon(id);
  }
  const since = ports.now() - WAIT_MS;
  for (const id of await ports.republications.due(ports.suites.all, since, BOARDS_A_SWEEP)) {
    await republish(ports, id);
  }
}

/** One board that can't be read must not keep all else from being swept. */
async function republish(ports: Ports, boardId: string): Promise<void> {
  try {
    const board = await ports.boards.get(boardId);
    if (board !== null) await republishBoard(ports, board);
  } catch (error) {
    const stack = error instanceof Error ? error.stack : String(error);
    console.error(JSON.stringify({ event: "republication-failed", board: boardId, error: stack }));
  }
}
