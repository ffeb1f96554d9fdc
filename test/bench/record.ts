import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../cli/local/root.ts";
import { demandOf, standardDeployment, usualLatencyMs, usualLoads } from "../scale/demand.ts";
import { type Prediction, predict } from "../scale/predict.ts";
import { thisMachine } from "../support/this-machine.ts";
import type { BenchResult } from "./bench.ts";

const file = join(root, "site", "src", "data", "bench.json");

/** What the site shows of measurements: the last of each row, and on what machine they were made. */
export interface BenchRecord {
  date: string;
  machine: ReturnType<typeof thisMachine>;
  results: BenchResult[];
  /** What loads of some sizes come to, by what a sample was measured to ask. */
  scale: Prediction[];
}

/** The last record; throws where there is none. */
export function readRecord(): BenchRecord {
  if (!existsSync(file)) throw new Error("nothing is recorded yet: npm run bench -- --record");
  return JSON.parse(readFileSync(file, "utf8")) as BenchRecord;
}

/** Writes results down; of rows that were not measured the last results stay, in the order of `names`. */
export function record(results: readonly BenchResult[], names: readonly string[]): void {
  const before = existsSync(file) ? readRecord().results : [];
  const byName = new Map([...before, ...results].map((result) => [result.name, result]));
  const kept = names.flatMap((name) => byName.get(name) ?? []);
  const hasCost = kept.some(({ name }) => name === "cost/million");
  const content: BenchRecord = {
    date: new Date().toISOString().slice(0, 10),
    machine: thisMachine(),
    results: kept,
    scale: hasCost ? predictions(kept) : [],
  };
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}

function predictions(results: readonly BenchResult[]): Prediction[] {
  const demand = demandOf(results, usualLatencyMs);
  return usualLoads.map((load) => predict(load, demand, standardDeployment));
}
