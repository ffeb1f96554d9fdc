import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../cli/local/root.ts";
import { thisMachine } from "../support/this-machine.ts";
import type { BenchResult, BenchRow } from "./bench.ts";
import { heldTo } from "./run-bench.ts";

const file = join(root, "site", "src", "data", "docs", "bench.json");

interface RecordedResult extends BenchResult {
  measuredOn: string;
}

/** What the site shows of measurements: the last of each row, and on what machine they were made. */
export interface BenchRecord {
  /** Of the newest of them. */
  date: string;
  machine: ReturnType<typeof thisMachine>;
  results: RecordedResult[];
}

/** The last record; throws where there is none. */
function readRecord(): BenchRecord {
  if (!existsSync(file)) throw new Error("nothing is recorded yet: npm run bench -- --record");
  return JSON.parse(readFileSync(file, "utf8")) as BenchRecord;
}

/** The machine of the last record; null where there is none. */
export const recordedMachine = (): BenchRecord["machine"] | null =>
  existsSync(file) ? readRecord().machine : null;

/**
 * Writes results down, in the order of `rows`. Of rows that were not measured the last numbers stay, with the words and
 * targets that they have now.
 */
export function record(results: readonly BenchResult[], rows: readonly BenchRow[]): void {
  const before = existsSync(file) ? readRecord().results : [];
  const date = new Date().toISOString().slice(0, 10);
  const now = results.map((result) => ({ ...result, measuredOn: date }));
  const byName = new Map([...before, ...now].map((result) => [result.name, result]));
  const kept = rows.flatMap(({ name, what, unit, target }) => {
    const result = byName.get(name);
    if (result?.unit !== unit) return [];
    return { ...result, what, ...heldTo(target, result.value) };
  });
  const content: BenchRecord = { date, machine: thisMachine(), results: kept };
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}
