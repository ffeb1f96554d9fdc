import { statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { positive } from "../support/number-options.ts";
import { thisMachine } from "../support/this-machine.ts";
import type { BenchResult, Settings } from "./bench.ts";
import { record, recordedMachine } from "./record.ts";
import { resultTable } from "./result-table.ts";
import { benches } from "./rows/all.ts";
import { runBench } from "./run-bench.ts";

const stock = join(import.meta.dirname, "../../shared/suites/extraction/stock.jsonl");

/** Options unless told. */
const usual = {
  repeats: "5",
  ms: "300",
  "warm-ups": "2",
  scale: "1",
  dataset: stock,
  rows: "100000",
} as const;

const usage = `npm run bench [-- names] [-- options]

Measures what the project promises and prints one table: value, lowest and highest, the target and how
many times better than it the value is (below 1.00 the target is missed). The whole table takes over an hour, and
its row site/lighthouse-100 fetches a package.

Names choose rows: a row (scoring/gold, or gold where no other group has one), a group (scoring), or how names begin
(scoring/array). An unknown name lists all of them.

  --repeats K     measurements a row, of which the median counts (default 5; rows that take long: fewer)
  --ms N          CPU time of a measurement at least, ms (default 300)
  --warm-ups K    rounds before them that don't count (default 2)
  --scale F       factor on the sizes, such as 0.1 for a quick look: no target is held then (default 1, the most)
  --dataset FILE  samples for the rows scoring/… (default: the stock dataset of the suite; no other
                  file is ever read)
  --rows N        rows of the file that offline/… scores (default 100000)
  --strict        exit with code 1 when a target is missed
  --json          print the rows as JSON (npm run -s bench -- --json: nothing else)
  --record        write the rows down for the site's page on performance
  --help          show this

Examples
  npm run bench -- scoring
  npm run bench -- offline --rows 1000000`;

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      repeats: { type: "string", default: usual.repeats },
      ms: { type: "string", default: usual.ms },
      "warm-ups": { type: "string", default: usual["warm-ups"] },
      scale: { type: "string", default: usual.scale },
      dataset: { type: "string", default: usual.dataset },
      rows: { type: "string", default: usual.rows },
      json: { type: "boolean", default: false },
      record: { type: "boolean", default: false },
      strict: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(usage);
  const settings: Settings = {
    repeats: countOf("--repeats", values.repeats, 1),
    minMs: positive("--ms", values.ms),
    warmUps: countOf("--warm-ups", values["warm-ups"], 0),
    scale: shareOf("--scale", values.scale),
    rows: countOf("--rows", values.rows, 1),
    dataset: fileOf("--dataset", values.dataset),
  };
  if (values.record) {
    refuseOthers(values);
    if (positionals.length > 0) refuseOtherMachine();
  }
  const results = await measured(positionals, settings);
  console.log(values.json ? JSON.stringify(results, null, 2) : resultTable(results));
  if (values.record) {
    record(
      results,
      benches.flatMap(({ rows }) => rows),
    );
  }
  const missed = results.filter(({ ratio, isPromised }) => isPromised && (ratio ?? 1) < 1);
  if (!values.strict || missed.length === 0) return;
  console.error(`below the target: ${missed.map(({ name }) => name).join(", ")}`);
  process.exitCode = 1;
}

async function measured(names: readonly string[], settings: Settings): Promise<BenchResult[]> {
  const known = new Set(benches.flatMap(({ rows }) => rows.map(({ name }) => name)));
  const ownName = (name: string) => name.slice(name.indexOf("/") + 1);
  const ownNames = new Set([...known].map(ownName));
  const begins = (name: string, one: string) =>
    name.startsWith(one) || ownName(name).startsWith(one);
  const isNamed = (name: string, one: string) => {
    if (known.has(one)) return name === one;
    return ownNames.has(one) ? ownName(name) === one : begins(name, one);
  };
  const isWanted = ({ name }: { name: string }) =>
    names.length === 0 || names.some((one) => isNamed(name, one));
  const strange = names.filter((one) => ![...known].some((name) => begins(name, one)));
  if (strange.length > 0) {
    const all = [...known].join("\n  ");
    throw new Error(`no row starts with ${strange.join(" or ")}; the rows are\n  ${all}`);
  }
  for (const one of names) {
    const same = [...known].filter((name) => ownName(name) === one);
    if (same.length > 1) throw new Error(`${one} is ${same.join(" and ")}: say which`);
  }
  const wanted = benches.filter((bench) => bench.rows.some(isWanted));
  const results: BenchResult[] = [];
  for (const bench of wanted) {
    console.error(`measuring ${bench.rows[0]?.name} …`);
    try {
      results.push(...(await runBench(bench, settings)).filter(isWanted));
    } catch (error) {
      // What else was asked for may take an hour, and is worth having.
      console.error(`${bench.rows[0]?.name} could not be measured:`, error);
      process.exitCode = 1;
    }
  }
  return results;
}

/** What is recorded is measured as it always is. */
function refuseOthers(values: Record<string, unknown>): void {
  const set = Object.entries(usual).filter(([name, value]) => values[name] !== value);
  if (set.length === 0) return;
  const flags = set.map(([name]) => `--${name}`).join(", ");
  throw new Error(`--record measures as always: leave ${flags} out`);
}

/** Rows that stay would be taken for measured on this one. */
function refuseOtherMachine(): void {
  const before = recordedMachine();
  const here = thisMachine();
  if (before === null || JSON.stringify(before) === JSON.stringify(here)) return;
  throw new Error(
    `what is recorded was measured on ${before.cores} cores (${before.cpu}, ${before.memoryGb} GB), not on this machine: record all rows, without names`,
  );
}

function fileOf(flag: string, path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) return path;
  throw new Error(`${flag} takes a file of samples, JSON Lines; "${path}" is none`);
}

function shareOf(flag: string, text: string): number {
  const value = positive(flag, text);
  if (value > 1) throw new Error(`${flag} takes a number up to 1, not "${text}"`);
  return value;
}

function countOf(flag: string, text: string, least: number): number {
  if (/^\d+$/.test(text) && Number(text) >= least) return Number(text);
  throw new Error(`${flag} takes a whole number from ${least} on, not "${text}"`);
}
