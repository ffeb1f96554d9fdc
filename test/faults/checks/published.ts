import type { DatabaseSync } from "node:sqlite";
import { boardStore } from "../../../api/db/board-store.ts";
import { driftStore } from "../../../api/db/drift-store.ts";
import { publicationStore } from "../../../api/db/publication-store.ts";
import { republicationStore } from "../../../api/db/republication-store.ts";
import { runStore } from "../../../api/db/run-store.ts";
import { judgingPort } from "../../../api/judging-port.ts";
import { rankBoard } from "../../../api/pipeline/boards/board.ts";
import type { Ports } from "../../../api/pipeline/ports.ts";
import { publish } from "../../../api/pipeline/publish.ts";
import { datasetStore } from "../../../api/storage/dataset-store.ts";
import { simulatedJudges } from "../../../cli/local/simulated-judges.ts";
import type { Snapshot } from "../../../shared/contracts/snapshot.ts";
import { suiteById, suites } from "../../../shared/suites/registry.ts";
import { localD1 } from "../support/local-d1.ts";

/** Past every lease that a killed server has left. */
const LATER_MS = 3_600_000;

/**
 * Boards and snapshot as they were left, held against those that come of the finished runs when all of
 * them are ranked and published once more. Leaves the database as it was.
 */
export async function checkPublished(
  database: DatabaseSync,
  objects: ReadonlyMap<string, string>,
  snapshot: Snapshot,
): Promise<string[]> {
  const written = new Map<string, unknown>();
  const ports = portsOf(database, objects, written);
  database.exec("BEGIN");
  try {
    // First the snapshot, since ranking anew changes when a board was ranked.
    database.exec("UPDATE publications SET changes = changes + 1, hash = NULL");
    await publish(ports);
    const [retaken] = written.values();
    const before = boardTexts(database);
    for (const { id } of await ports.boards.all()) await rankBoard(ports, id);
    return [
      ...differences("board", before, boardTexts(database)),
      ...snapshotDifferences(snapshot, retaken as Snapshot),
    ];
  } finally {
    database.exec("ROLLBACK");
  }
}

/** The service's own stores over what it has left. */
function portsOf(
  database: DatabaseSync,
  stored: ReadonlyMap<string, string>,
  written: Map<string, unknown>,
): Ports {
  const d1 = localD1(database) as unknown as Parameters<typeof boardStore>[0];
  const objects: Pick<Ports["objects"], "get" | "put"> = {
    get: async <T>(key: string) => JSON.parse(stored.get(key) ?? "null") as T | null,
    put: async (key, value) => void written.set(key, value),
  };
  const ports: Partial<Ports> = {
    suites: { all: suites, byId: suiteById },
    runs: runStore(d1),
    boards: boardStore(d1),
    drifts: driftStore(d1),
    republications: republicationStore(d1),
    publications: publicationStore(d1),
    datasets: datasetStore(d1, objects as Ports["objects"]),
    objects: objects as Ports["objects"],
    callRebuildHook: async () => false,
    now: () => Date.now() + LATER_MS,
    // The simulated judges of the service that left it, none of which is asked.
    judging: judgingPort(
      { JUDGES: simulatedJudges("http://localhost/v1") },
      { now: () => 0, sleep: async () => {}, random: () => 0 },
    ),
    settings: { rebuildIntervalMs: 0 } as Ports["settings"],
  };
  return ports as Ports;
}

/** What each board says, by its id. */
function boardTexts(database: DatabaseSync): Map<string, string> {
  const rows = database.prepare("SELECT id, entries, compared_samples FROM boards").all();
  return new Map(rows.map(({ id, ...said }) => [`${id}`, JSON.stringify(said)]));
}

function snapshotDifferences(published: Snapshot, retaken: Snapshot): string[] {
  const runs = (of: Snapshot) => new Map(of.runs.map((run) => [run.id, JSON.stringify(run)]));
  const datasets = (of: Snapshot) =>
    new Map(of.datasets.map((one) => [`${one.name}@${one.version}`, JSON.stringify(one)]));
  // A board that was ranked again to the same is newer, no more.
  const boards = (of: Snapshot) =>
    new Map(of.boards.map(({ updatedAt: _, ...board }) => [board.id, JSON.stringify(board)]));
  return [
    ...differences("run in the snapshot", runs(published), runs(retaken)),
    ...differences("dataset in the snapshot", datasets(published), datasets(retaken)),
    ...differences("board in the snapshot", boards(published), boards(retaken)),
  ];
}

/** Things that one side lacks or that are not the same, byte for byte. */
function differences(
  what: string,
  left: ReadonlyMap<string, string>,
  anew: ReadonlyMap<string, string>,
): string[] {
  const ids = new Set([...left.keys(), ...anew.keys()]);
  return [...ids]
    .filter((id) => left.get(id) !== anew.get(id))
    .map((id) => `${what} ${id} is not what the finished runs give once more`);
}
