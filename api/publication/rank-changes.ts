import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import type { RankChange } from "#shared/contracts/boards/republication.ts";
import type { Estimate } from "#shared/contracts/metric.ts";
import type { BoardRecord } from "../boards/schema.ts";
import type { Platform } from "../platform/platform.ts";
import type { BoardCandidate } from "../runs/read-store.ts";
import type { RescoredRun } from "./republication-store.ts";
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
  runs: readonly RescoredRun[],
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

/** Entries whose answers may be scored again, but have no run yet. */
export function pendingOf(
  { changes }: Pick<RepublicationRecord, "changes">,
  runs: readonly RescoredRun[],
): RankChange[] {
  const started = new Set(runs.map(({ parentId }) => parentId));
  return changes.filter(({ before, reason }) => reason === null && !started.has(before.run));
}

/** Whether a run's score is still expected. A hidden or paused run may never have one. */
const isAwaited = ({ status, hiddenReason, deletedAt }: RescoredRun): boolean =>
  (status === "queued" || status === "running") && hiddenReason === null && deletedAt === null;

/**
 * Re-publications that only wait for the board to be ranked; `scoring` if some still have answers to score, because an
 * incomplete board is not ranked.
 */
export async function openTo(
  platform: Platform,
  board: BoardRecord,
): Promise<RepublicationRecord[] | "scoring"> {
  if (await platform.republications.isAwaited(board, platform.suites.all)) return "scoring";
  const its = await platform.republications.openTo(board.id);
  for (const one of its) {
    const runs = await platform.republications.runsOf(one);
    if (pendingOf(one, runs).length > 0 || runs.some(isAwaited)) return "scoring";
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
    const runs = await platform.republications.runsOf(one);
    const changes = rankChanges(one.changes, runs, entries);
    await platform.republications.finish({ ...one, changes }, platform.now());
  }
}
