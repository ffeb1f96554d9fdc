import type { LeaderboardEntry } from "#shared/contracts/leaderboard.ts";
import type { BoardRecord, Ports, RunRecord } from "../ports.ts";
import type { RepublicationRecord } from "../republication-ports.ts";
import { rankChanges } from "./rank-changes.ts";

/** Statuses of a run that will have no other score. */
const ended: readonly RunRecord["status"][] = ["finished", "failed", "cancelled"];

/**
 * The re-publications that only wait for a board to be ranked; `scoring` while answers are still being scored
 * for one: half a board would be no board.
 */
export async function openTo(
  ports: Ports,
  boardId: string,
): Promise<RepublicationRecord[] | "scoring"> {
  const its = (await ports.republications.open()).filter(({ toBoard }) => toBoard === boardId);
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
  entries: readonly LeaderboardEntry[],
): Promise<void> {
  for (const one of republications) {
    const runs = (await ports.runs.submission(one.submissionId))?.runs ?? [];
    const changes = rankChanges(one.changes, runs, entries);
    await ports.republications.finish({ ...one, changes }, ports.now());
  }
}

/** The finished runs that a board lists, newest first: one that was superseded lists none that it did not then. */
export async function listedRuns(
  ports: Ports,
  { id, supersededBy }: Pick<BoardRecord, "id" | "supersededBy">,
): Promise<RunRecord[]> {
  const runs = await ports.runs.finishedOnBoard(id);
  if (supersededBy === null) return runs;
  const moved = await ports.republications.list(id, 1);
  const then = new Set(moved.flatMap(({ changes }) => changes.map(({ before }) => before.run)));
  return runs.filter((run) => then.has(run.id));
}
