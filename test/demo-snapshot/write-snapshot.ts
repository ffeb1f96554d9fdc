import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rankBoard } from "../../api/boards/rank-board.ts";
import { readSnapshot } from "../../shared/contracts/boards/read-snapshot.ts";
import type { Snapshot } from "../../shared/contracts/boards/snapshot.ts";
import { makeRuns } from "./make-runs.ts";
import { makeOddRuns } from "./odd-runs.ts";
import type { MadeRun, Row, WorkerSettings } from "./run-worker.ts";
import { openService, publishAll, type Service } from "./service.ts";
import { writeRun } from "./write-run.ts";

/** Maximum number of runs in one comparison of the API. */
const MOST_COMPARED = 20;

/**
 * Writes a folder for ASSAY_SNAPSHOT_DIR: the snapshot, runs, highlights, sweeps, and comparisons by board. With
 * `beforeLast`, writes it first without one of the models' runs and calls back.
 */
export async function writeSnapshot(
  settings: WorkerSettings,
  tell: (progress: string) => void,
  beforeLast?: () => Promise<void>,
): Promise<Snapshot> {
  const { dir } = settings;
  for (const part of ["runs", "highlights", "comparisons", "sweeps"]) {
    await rm(join(dir, part), { recursive: true, force: true });
    await mkdir(join(dir, part), { recursive: true });
  }
  const service = await openService();
  let last: MadeRun | null = null;
  await makeRuns(settings, (made, left) => {
    if (left === 0 && beforeLast) last = made;
    else takeOver(service, made);
    if (left % 50 === 0) tell(`${left} runs to go`);
  });
  if (settings.only === undefined) {
    for (const run of await makeOddRuns(service)) await writeRun(service, dir, run);
  }
  tell("ranking and comparing");
  service.at(Date.UTC(2026, 10, 1));
  if (last !== null) {
    await writeResults(service, dir);
    await beforeLast?.();
    takeOver(service, last);
  }
  return writeResults(service, dir);
}

/** Ranks and publishes all results of the service, and writes them to the folder. */
async function writeResults(service: Service, dir: string): Promise<Snapshot> {
  for (const { id } of await service.platform.boards.all()) await rankBoard(service.platform, id);
  await service.platform.publications.markChanged();
  await publishAll(service.platform);
  const { snapshot } = await readSnapshot(service.read);
  await writeFile(join(dir, "snapshot.json"), JSON.stringify(snapshot));
  await writeComparisons(service, snapshot, dir);
  for (const { submission } of snapshot.sweeps) {
    const sweep = await service.read(`/v1/submissions/${submission}/sweep`);
    await writeFile(join(dir, "sweeps", `${submission}.json`), JSON.stringify(sweep));
  }
  return snapshot;
}

/** Inserts a run from a thread. Its board may already exist. */
function takeOver({ database, objects }: Service, { run, board, scores }: MadeRun): void {
  insert(database, "runs", run);
  insert(database, "snapshot_changes", { kind: "runs", id: run["id"] ?? null });
  insert(database, "boards", board);
  objects.set(...scores);
}

function insert(database: Service["database"], table: string, row: Row): void {
  const names = Object.keys(row);
  const places = names.map(() => "?").join();
  const statement = `INSERT OR IGNORE INTO ${table} (${names.join()}) VALUES (${places})`;
  database.prepare(statement).run(...Object.values(row));
}

async function writeComparisons(service: Service, { boards }: Snapshot, dir: string) {
  for (const { id, entries } of boards) {
    const ranked = entries.filter(({ rank }) => rank !== null).slice(0, MOST_COMPARED);
    if (ranked.length < 2) continue;
    const runs = ranked.map(({ run }) => run).join();
    const comparison = await service.read(`/v1/compare?runs=${runs}`);
    await writeFile(join(dir, "comparisons", `${id}.json`), JSON.stringify(comparison));
  }
}
