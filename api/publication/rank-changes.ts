import type { LeaderboardEntry } from "#shared/contracts/leaderboard.ts";
import type { RankChange } from "#shared/contracts/republication.ts";
import type { RunRecord } from "../platform/ports.ts";

/** An entry as a re-publication found it; `reason`: why its answers can't be scored anew. */
export function entryBefore(
  { run, rank, headline, model: { slug, name, simulated } }: LeaderboardEntry,
  reason: string | null,
): RankChange {
  return { model: { slug, name, simulated }, before: { run, rank, headline }, after: null, reason };
}

/** What ranks a model on the new board. */
export type PlacedRun = Pick<LeaderboardEntry, "run" | "rank" | "headline"> & {
  model: { slug: string };
};

/**
 * What became of the entries of an old board. `runs` are those that scored their answers anew, `entries`
 * the new board, which may rank another run of the same model.
 */
export function rankChanges(
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
      const { run, rank, headline } = entry;
      return { ...change, after: { run, rank, headline } };
    }
    const child = children.get(change.before.run);
    const reason = child?.statusReason ?? `its run was ${child?.status ?? "withdrawn"}`;
    return { ...change, reason };
  });
}
