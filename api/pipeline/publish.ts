import { contentHash } from "#shared/contracts/content-hash.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { Snapshot } from "#shared/contracts/snapshot.ts";
import { boardCanaries, canaryReports } from "./canaries/canary-report.ts";
import { driftNotice } from "./drift/announce-drift.ts";
import { datasetChange } from "./drift/dataset-change.ts";
import type { Ports } from "./ports.ts";
import { republicationViews } from "./republications/republication-view.ts";
import { boardView, listedDataset, runView } from "./runs/run-view.ts";
import { listedSweeps } from "./sweeps/listed-sweeps.ts";

/** Runs that a snapshot lists: what a site of 100,000 pages can hold and one object should. */
const MAX_RUNS = 5_000;

/** Newest drifts that a snapshot lists, and as many runs on another version of their dataset. */
const MAX_DRIFTS = 500;

/** Newest re-publications that a snapshot lists, of up to a hundred entries each. */
const MAX_REPUBLICATIONS = 50;

const snapshotKey = (hash: string) => `snapshots/${hash}.json`;

/**
 * The newest snapshot; null before anything was published. The database names it, since of two that
 * publish at once the older one may be the last to write.
 */
export async function latestSnapshot(ports: Ports): Promise<Snapshot | null> {
  const hash = await snapshotHash(ports);
  return hash === null ? null : snapshotOf(ports, hash);
}

/** The hash of the newest snapshot; null before anything was published. */
export const snapshotHash = async (ports: Ports): Promise<string | null> =>
  (await ports.publications.state()).hash;

/** The snapshot of a hash; null where there was none. */
export const snapshotOf = (ports: Ports, hash: string): Promise<Snapshot | null> =>
  ports.objects.get<Snapshot>(snapshotKey(hash));

/**
 * Writes a new snapshot when results changed since the last one, and asks for a rebuild of the
 * site, at most once in the deployment's interval; the sweep asks again for what was held back.
 */
export async function publish(ports: Ports): Promise<void> {
  // Read before the snapshot is taken: a change in between is published once more, never lost.
  const state = await ports.publications.state();
  if (state.changes === 0) return;
  const now = ports.now();
  if (state.changes > state.published) {
    const snapshot = await takeSnapshot(ports, now);
    if (snapshot.hash !== state.hash) {
      await ports.objects.put(snapshotKey(snapshot.hash), snapshot);
    }
    await ports.publications.markPublished(snapshot.hash, state.changes);
  }
  const due = state.hookCalledAt + ports.settings.rebuildIntervalMs <= now;
  if (state.changes > state.hooked && due && (await ports.callRebuildHook())) {
    await ports.publications.markHookCalled(state.changes, now);
  }
}

async function takeSnapshot(ports: Ports, now: number): Promise<Snapshot> {
  const [boards, datasets, runs, openSweeps, flagged, changed, republications] = await Promise.all([
    ports.boards.all(),
    ports.datasets.list(null),
    ports.runs.published(MAX_RUNS),
    ports.runs.openSweeps(),
    ports.drifts.flagged(MAX_DRIFTS),
    ports.drifts.datasetChanged(MAX_DRIFTS),
    ports.republications.list(null, { after: null, limit: MAX_REPUBLICATIONS }),
  ]);
  const listed = boards.filter((board) => board.entries.length > 0);
  const content = {
    version: 1 as const,
    boards: await Promise.all(
      listed.map(async (board) => boardView(board, await boardCanaries(ports, board))),
    ),
    datasets: datasets
      .map(listedDataset)
      .map(({ malformed: _, warnings: __, ...listed }) => listed),
    runs: runs
      .map((run) => runView(run, now))
      .map(({ breakdown: _, timeline: __, points: ___, ...run }) => run),
    canaries: await canaryReports(ports),
    sweeps: listedSweeps(runs, openSweeps),
    drifts: flagged.flatMap((watched) => driftNotice(watched) ?? []),
    datasetChanges: changed.flatMap((watched) => datasetChange(watched) ?? []),
    republications: await republicationViews(
      ports,
      republications.filter(({ finishedAt }) => finishedAt !== null),
    ),
  };
  const hash = contentHash(JSON.parse(JSON.stringify(content)) as Json);
  return { ...content, hash, createdAt: new Date(now).toISOString() };
}
