import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import type { RankChange } from "#shared/contracts/boards/republication.ts";
import type { Estimate } from "#shared/contracts/metric.ts";
import type { BoardRecord } from "../boards/schema.ts";
import type { Platform } from "../platform/platform.ts";
import type { BoardCandidate } from "../runs/read-store.ts";
import type { RunRecord } from "../runs/schema.ts";
import type { RepublicationRecord } from "./schema.ts";

/** An entry at the start of a re-publication; `reason`: why its answers can't be scored again. */
export function entryBefore(
  { run, rank, headline, model: { slug, name, simulated } }: LeaderboardEntry,
  reason: string | null,
): RankChange {
  return { model: { slug, name, simulated }, before: { run, rank, headline }, after: null, reason };
}

/** The fields that rank a model on the new board. */
type PlacedRun = Pick<BoardCandidate, "run" | "model" | "estimate"> &
  Pick<LeaderboardEntry, "rank">;

const notMeasured: Estimate = { value: null, interval: null, n: 0, coverage: 0 };

/**
 * The new ranks of an old board's entries. `runs`: the rescored runs; `entries`: the new board, which may list another
 * run of the same model.
 */
function rankChanges(
  before: readonly RankChange[],
  runs: readonly Pick<RunRecord, "parentId" | "status" | "statusReason">[],
  entries: readonly PlacedRun[],
): RankChange[] {
  const places = new Map(entries.map((entry) => [entry.model.slug, entry]));
  const children = new Map(runs.map((run) => [run.parentId, run]));
  return before.map((change) => {
    if (change.reason !== null) return change;
    const entry = places.get(change.model.slug);
    if (entry !== undefined) {
      const { run, rank, estimate } = entry;
      const headline = estimate === null ? notMeasured : (JSON.parse(estimate) as Estimate);
      return { ...change, after: { run, rank, headline } };
    }
    const child = children.get(change.before.run);
    const reason = child?.statusReason ?? `its run was ${child?.status ?? "withdrawn"}`;
    return { ...change, reason };
  });
}

/** Statuses of runs whose score is final. */
const ended: readonly RunRecord["status"][] = ["finished", "failed", "cancelled"];

/**
 * Re-publications that only wait for a ranking of the board; `scoring` while one still has answers to score: an
 * incomplete board is not ranked.
 */
export async function openTo(
  platform: Platform,
  board: BoardRecord,
): Promise<RepublicationRecord[] | "scoring"> {
  if (await platform.republications.isAwaited(board, platform.suites.all)) return "scoring";
  const its = (await platform.republications.open()).filter(({ toBoard }) => toBoard === board.id);
  for (const { submissionId } of its) {
    const runs = (await platform.runs.submission(submissionId))?.runs ?? null;
    if (runs === null || runs.some(({ status }) => !ended.includes(status))) return "scoring";
  }
  return its;
}

/** Records the new rank of each entry, and replaces the old boards by the new one. */
export async function finishRepublications(
  platform: Platform,
  republications: readonly RepublicationRecord[],
  entries: readonly PlacedRun[],
): Promise<void> {
  for (const one of republications) {
    const runs = (await platform.runs.submission(one.submissionId))?.runs ?? [];
    const changes = rankChanges(one.changes, runs, entries);
    await platform.republications.finish({ ...one, changes }, platform.now());
  }
}
