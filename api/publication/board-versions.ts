import type { BoardRecord, Ports, RunRecord } from "../platform/ports.ts";
import { type PlacedRun, rankChanges } from "./rank-changes.ts";
import type { RepublicationRecord } from "./republication-ports.ts";

/** Statuses of a run that will have no other score. */
const ended: readonly RunRecord["status"][] = ["finished", "failed", "cancelled"];

/**
 * The re-publications that only wait for a board to be ranked; `scoring` while answers are still to be scored
 * for one: half a board would be no board.
 */
export async function openTo(
  ports: Ports,
  board: BoardRecord,
): Promise<RepublicationRecord[] | "scoring"> {
  if (await ports.republications.isAwaited(board, ports.suites.all)) return "scoring";
  const its = (await ports.republications.open()).filter(({ toBoard }) => toBoard === board.id);
  for (const { submissionId } of its) {
    const runs = (await ports.runs.submission(submissionId))?.runs ?? null;
    if (runs === null || runs.some(({ status }) => !ended.includes(status))) return "scoring";
  }
  return its;
}

/** Writes down what re-publications made of each entry, and has the old boards give way to the new one. */
export async function finishRepublications(
  ports: Ports,
  republications: readonly RepublicationRecord[],
  entries: readonly PlacedRun[],
): Promise<void> {
  for (const one of republications) {
    const runs = (await ports.runs.submission(one.submissionId))?.runs ?? [];
    const changes = rankChanges(one.changes, runs, entries);
    await ports.republications.finish({ ...one, changes }, ports.now());
  }
}
