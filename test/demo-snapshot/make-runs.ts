import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { suites } from "../../shared/suites/registry.ts";
import { demoModels } from "./demo-models.ts";
import type { MadeRun, RunTask, WorkerSettings } from "./run-worker.ts";

/** The demo's runs were made in this time. */
const first = Date.UTC(2026, 8, 1, 8);
const spanMs = 60 * 24 * 3_600_000;
/** Between one suite and the next of the same model. */
const suiteGapMs = 20 * 60_000;
/** Between one evaluation of a model and the next. */
const turnGapMs = 14 * 24 * 3_600_000;

/** Makes every run of so many models, a thread for each processor, and gives each to `take`. */
export async function makeRuns(
  settings: WorkerSettings,
  take: (made: MadeRun, left: number) => void,
): Promise<void> {
  const tasks = tasksOf(settings);
  let left = tasks.length;
  const threads = Math.min(tasks.length, availableParallelism());
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(new URL("run-worker.ts", import.meta.url), {
        workerData: settings,
      });
      worker.on("error", reject);
      worker.on("message", (made: MadeRun | null) => {
        if (made !== null) take(made, --left);
        const task = tasks.shift();
        if (task !== undefined) return worker.postMessage(task);
        worker.terminate().then(() => resolve(), reject);
      });
    });
  await Promise.all(Array.from({ length: threads }, work));
}

/** The newest model is any of them, so that lists by date are no rankings. */
function tasksOf({ models, only }: WorkerSettings): RunTask[] {
  const ids = only === undefined ? suites.map(({ id }) => id) : [only];
  const step = spanMs / models;
  return demoModels(models).flatMap((its, model) =>
    ids.flatMap((id, i) => {
      const turns = only === undefined ? its.turns : 1;
      const newest = Math.round(first + shuffled(model, models) * step + i * suiteGapMs);
      return Array.from({ length: turns }, (_, turn) => ({
        model,
        suite: id,
        turn,
        createdAt: newest - (turns - 1 - turn) * turnGapMs,
      }));
    }),
  );
}

/** A place in 0…n−1, another for each `i` (the golden section scatters neighbours). */
function shuffled(i: number, n: number): number {
  const golden = (k: number) => (k * 0.618033988749895) % 1;
  const own = golden(i);
  return Array.from({ length: n }, (_, k) => golden(k)).filter((other) => other < own).length;
}
