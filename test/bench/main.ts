import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../../cli/local/root.ts";
import type {
  BenchRecord,
  BenchResult,
  MissingRow,
} from "../../shared/contracts/operator/bench-record.ts";
import { thisMachine } from "../support/this-machine.ts";
import { type Bench, NotHere, type Settings } from "./bench.ts";
import { isMoved, type MovedRatio, movedRatios, movedTable } from "./beside-load.ts";
import { options, settingsOf, usage, usual } from "./command-line.ts";
import { resultTable } from "./result-table.ts";
import { runBench } from "./run-bench.ts";

const recordFile = join(root, "site", "src", "data", "docs", "bench.json");

if (import.meta.main) {
  await main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}

/** The command. Sets the process's exit code if a row was not measured, or with `--strict` if a target was missed. */
export async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  if (values.help) return console.log(usage);
  const settings = settingsOf(values);
  if (values.record) refuseOthers(values, positionals);
  if (values["beside-load"]) return besideLoad(positionals, settings);
  const { results, missing } = await measured(positionals, settings, values.record);
  console.log(values.json ? JSON.stringify({ results, missing }, null, 2) : resultTable(results));
  if (!values.json) for (const { name, reason } of missing) console.log(`${name}: ${reason}`);
  const missed = results.filter(({ isMet }) => isMet === false);
  if (!values.strict || missed.length === 0) return;
  console.error(`target missed: ${missed.map(({ name }) => name).join(", ")}`);
  process.exitCode = 1;
}

/** Measures benches. `isRecorded`: saves the results after each bench, since all together take long. */
async function measured(names: readonly string[], settings: Settings, isRecorded: boolean) {
  const results: BenchResult[] = [];
  const missing: MissingRow[] = [];
  const wanted = await chosen(names);
  for (const [at, { bench, isWanted }] of wanted.entries()) {
    console.error(`measuring ${bench.rows[0]?.name} …`);
    const begun = performance.now();
    try {
      results.push(...(await runBench(bench, settings)).filter(isWanted));
      console.error(`  ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
    } catch (error) {
      const reason = notMeasured(bench, error);
      for (const { name, what } of bench.rows.filter(isWanted))
        missing.push({ name, what, reason });
    }
    if (!isRecorded) continue;
    const later = wanted.slice(at + 1).flatMap((one) => one.bench.rows);
    const reason = "not measured: the command was stopped before";
    record(results, [...missing, ...later.map(({ name, what }) => ({ name, what, reason }))]);
  }
  return { results, missing };
}

/** Prints and returns why a bench was not measured. Sets exit code 1 unless the machine lacks software. */
function notMeasured({ rows }: Bench, error: unknown): string {
  const reason = error instanceof Error ? error.message : `${error}`;
  const isLacking = error instanceof NotHere;
  console.error(`${rows[0]?.name} could not be measured:`, isLacking ? reason : error);
  if (!isLacking) process.exitCode = 1;
  return reason;
}

/** Loaded late, because all benches together take seconds to load. */
async function chosen(names: readonly string[]) {
  const { chosenBenches } = await import("./chosen-benches.ts");
  return chosenBenches(names);
}

/** Prints how much load changes each ratio. */
async function besideLoad(names: readonly string[], settings: Settings): Promise<void> {
  const moved: MovedRatio[] = [];
  for (const { bench, isWanted } of await chosen(names)) {
    if (bench.rows.every(({ yardstick }) => yardstick === undefined)) continue;
    console.error(`measuring ${bench.rows[0]?.name}, alone and under load …`);
    try {
      moved.push(...(await movedRatios(bench, settings)).filter(isWanted));
    } catch (error) {
      notMeasured(bench, error);
    }
  }
  if (moved.length > 0) console.log(movedTable(moved));
  if (moved.some(isMoved)) process.exitCode = 1;
}

/** Refuses options that a record must not have: it has all rows with default settings, from one machine and commit. */
function refuseOthers(values: Record<string, unknown>, names: readonly string[]): void {
  const set = Object.entries(usual).filter(([name, value]) => values[name] !== value);
  if (set.length === 0 && names.length === 0) return;
  const flags = [...set.map(([name]) => `--${name}`), ...names].join(", ");
  throw new Error(`--record needs all rows with defaults: omit ${flags}`);
}

/** Saves the results for the site. */
function record(results: readonly BenchResult[], missing: readonly MissingRow[]): void {
  const head = ["rev-parse", "--short", "HEAD"];
  const commit = execFileSync("git", head, { cwd: root, encoding: "utf8" }).trim();
  const content: BenchRecord = {
    date: new Date().toISOString().slice(0, 10),
    machine: { ...thisMachine(), node: process.versions.node, commit },
    results,
    missing,
  };
  writeFileSync(recordFile, `${JSON.stringify(content, null, 2)}\n`);
}
