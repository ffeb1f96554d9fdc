import type { DatabaseSync } from "node:sqlite";
import { domainStore } from "../../../api/accounts/domain-store.ts";
import { createApp } from "../../../api/app.ts";
import { rankBoard } from "../../../api/boards/rank-board.ts";
import { boardStore } from "../../../api/boards/store.ts";
import { datasetStore } from "../../../api/datasets/store.ts";
import { driftStore } from "../../../api/drift/store.ts";
import { judgeStore } from "../../../api/judging/judge-store.ts";
import { objectStore } from "../../../api/platform/object-store.ts";
import { type Platform, settingsOf } from "../../../api/platform/platform.ts";
import { judgeClient } from "../../../api/providers/judges.ts";
import { republicationStore } from "../../../api/publication/republication-store.ts";
import { publicationStore } from "../../../api/publication/store.ts";
import { runStore } from "../../../api/runs/store.ts";
import { simulatedJudges } from "../../../cli/local/local-judges.ts";
import { readSnapshot } from "../../../shared/contracts/boards/read-snapshot.ts";
import type { Snapshot } from "../../../shared/contracts/boards/snapshot.ts";
import { suiteById, suites } from "../../../shared/suites/registry.ts";
import { memoryBucket } from "../../demo-snapshot/memory-bucket.ts";
import { publishAll } from "../../demo-snapshot/service.ts";
import { localD1 } from "../support/local-d1.ts";

/** Later than the end of every lease of a killed server. */
const LATER_MS = 3_600_000;

/**
 * Compares the stored boards and the snapshot with those that a second ranking and publication of all finished runs
 * gives. Restores the database afterwards.
 */
export async function checkPublished(
  database: DatabaseSync,
  objects: ReadonlyMap<string, string>,
  snapshot: Snapshot,
): Promise<string[]> {
  const platform = platformOf(database, objects);
  database.exec("BEGIN");
  try {
    // The snapshot comes first, because ranking changes the time at which a board was ranked.
    database.exec("UPDATE publications SET changes = changes + 1, hash = 'lost', root = NULL");
    const republished = await publishAgain(platform);
    const before = boardTexts(database);
    for (const { id } of await platform.boards.all()) await rankBoard(platform, id);
    return [
      ...differences("board", before, boardTexts(database)),
      ...snapshotDifferences(snapshot, republished),
    ];
  } finally {
    database.exec("ROLLBACK");
  }
}

async function publishAgain(platform: Platform): Promise<Snapshot> {
  await publishAll(platform);
  const app = createApp({
    platform: () => platform,
    account: async () => null,
    site: async () => new Response(null, { status: 404 }),
  });
  const { snapshot } = await readSnapshot(async (path) => (await app.request(path)).json());
  return snapshot;
}

/** The service's own stores over its stored data. */
function platformOf(database: DatabaseSync, left: ReadonlyMap<string, string>): Platform {
  const d1 = localD1(database) as unknown as Parameters<typeof boardStore>[0];
  const objects = objectStore(
    memoryBucket(new Map(left)) as unknown as Parameters<typeof objectStore>[0],
  );
  const judges = suites.flatMap(({ judging }) => judging?.judges ?? []);
  const platform: Partial<Platform> = {
    suites: { all: suites, byId: suiteById },
    runs: runStore(d1, objects),
    boards: boardStore(d1),
    domains: domainStore(d1),
    drifts: driftStore(d1),
    judges: judgeStore(d1),
    republications: republicationStore(d1),
    publications: publicationStore(d1),
    datasets: datasetStore(d1, objects),
    objects,
    callRebuildHook: async () => false,
    queues: { finish: async () => {} } as unknown as Platform["queues"],
    limiter: { allows: async () => true, periodSeconds: () => 1 },
    newId: (prefix) => `${prefix}_again`,
    now: () => Date.now() + LATER_MS,
    // The simulated judges of the stopped service; none is called.
    judging: judgeClient(
      { JUDGES: simulatedJudges("http://localhost/v1", judges) },
      { now: () => 0, sleep: async () => {}, random: () => 0 },
    ),
    settings: { ...settingsOf({} as never), rebuildIntervalMs: 0, publicReadsKeptMs: 0 },
  };
  return platform as Platform;
}

/** The content of each board by its id. */
function boardTexts(database: DatabaseSync): Map<string, string> {
  const rows = database.prepare("SELECT id, entries, compared_samples FROM boards").all();
  return new Map(rows.map(({ id, ...board }) => [`${id}`, JSON.stringify(board)]));
}

function snapshotDifferences(published: Snapshot, republished: Snapshot): string[] {
  const runs = (of: Snapshot) => new Map(of.runs.map((run) => [run.id, JSON.stringify(run)]));
  const datasets = (of: Snapshot) =>
    new Map(of.datasets.map((one) => [`${one.name}@${one.version}`, JSON.stringify(one)]));
  // Ranking a board again changes updatedAt even if the ranks stay the same.
  const boards = (of: Snapshot) =>
    new Map(of.boards.map(({ updatedAt: _, ...board }) => [board.id, JSON.stringify(board)]));
  return [
    ...differences("run in the snapshot", runs(published), runs(republished)),
    ...differences("dataset in the snapshot", datasets(published), datasets(republished)),
    ...differences("board in the snapshot", boards(published), boards(republished)),
  ];
}

/** Items that are missing on one side or differ. */
function differences(
  what: string,
  left: ReadonlyMap<string, string>,
  again: ReadonlyMap<string, string>,
): string[] {
  const ids = new Set([...left.keys(), ...again.keys()]);
  return [...ids]
    .filter((id) => left.get(id) !== again.get(id))
    .map((id) => `${what} ${id} differs after another publication`);
}
