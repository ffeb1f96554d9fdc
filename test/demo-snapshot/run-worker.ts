import { parentPort, workerData } from "node:worker_threads";
import { scoresKey } from "../../api/runs/run-objects.ts";
import { suites } from "../../shared/suites/registry.ts";
import { aBench } from "../simulator/support/evaluate.ts";
import { demoModels } from "./demo-models.ts";
import { finishedRun } from "./finished-run.ts";
import { openService, type Service } from "./service.ts";
import { simulatedAnswers } from "./simulated-answers.ts";
import { writeRun } from "./write-run.ts";

/** Settings of the thread, which gets its tasks as messages. */
export interface WorkerSettings {
  dir: string;
  models: number;
  /** One run per model, of only this suite. Default: runs of all suites, repeated and unusual runs. */
  only?: string;
}
export interface RunTask {
  model: number;
  suite: string;
  turn: number;
  createdAt: number;
}

/** A finished run for the main thread: rows of the database, and the scores for comparisons. */
export interface MadeRun {
  run: Row;
  board: Row;
  scores: [key: string, json: string];
}
export type Row = Record<string, string | number | null>;

const { dir, models } = workerData as WorkerSettings;
const cast = demoModels(models);
const benches = new Map(suites.map((suite) => [suite.id, aBench(suite)]));
const simulations = new Map([...benches].map(([id, bench]) => [id, bench.simulation(1)]));
const service = await openService();

parentPort?.on("message", async (task: RunTask) => {
  parentPort?.postMessage(await madeRun(task));
});
parentPort?.postMessage(null);

async function madeRun({ model, suite, turn, createdAt }: RunTask): Promise<MadeRun> {
  const [bench, simulation, played] = [benches.get(suite), simulations.get(suite), cast[model]];
  if (!bench || !simulation || !played) throw new Error(`there is no model ${model} for ${suite}`);
  const answers = simulatedAnswers(bench, simulation, played, turn);
  const run = await finishedRun(service, bench, { model: played, turn, createdAt }, answers);
  await writeRun(service, dir, run);
  const key = scoresKey(run);
  const made: MadeRun = {
    run: rowOf(service, "runs", run.id),
    board: rowOf(service, "boards", run.boardId ?? ""),
    scores: [key, service.objects.get(key) ?? "null"],
  };
  forget(service, run.id);
  return made;
}

const rowOf = ({ database }: Service, table: string, id: string): Row =>
  ({ ...database.prepare(`SELECT * FROM ${table} WHERE id = ?`).get(id) }) as Row;

/** Frees a run's data, since a thread makes hundreds of runs. */
function forget({ database, objects }: Service, run: string): void {
  database.prepare("DELETE FROM samples WHERE run_id = ?").run(run);
  for (const key of objects.keys()) if (key.startsWith(`runs/${run}/`)) objects.delete(key);
}
