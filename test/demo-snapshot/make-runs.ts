import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { suites } from "../../shared/suites/registry.ts";
import { demoModels } from "./demo-models.ts";
import type { MadeRun, RunTask, WorkerSettings } from "./run-worker.ts";

/** Period in which the demo's runs are created. */
const first = Date.UTC(2026, 8, 1, 8);
const spanMs = 60 * 24 * 3_600_000;
/** Time between the runs of a model on two suites. */
const suiteGapMs = 20 * 60_000;
/** Time between two evaluations of a model on a suite. */
const turnGapMs = 14 * 24 * 3_600_000;

/** Makes every run of the models with one thread per processor, and passes each to `take`. */
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

/** Dates are shuffled, so that lists by date are not rankings. */
function tasksOf({ models, only }: WorkerSettings): RunTask[] {
  const ids = only === undefined ? suites.map(({ id }) => id) : [only];
  const step = spanMs / models;
  return demoModels(models).flatMap((demoModel, model) =>
    ids.flatMap((id, i) => {
      const turns = only === undefined ? demoModel.turns : 1;
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

/** A permutation of 0…n−1; the golden ratio scatters neighbours. */
function shuffled(i: number, n: number): number {
  const golden = (k: number) => (k * 0.618033988749895) % 1;
  const own = golden(i);
  return Array.from({ length: n }, (_, k) => golden(k)).filter((other) => other < own).length;
}
