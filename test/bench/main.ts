import { join } from "node:path";
import { parseArgs } from "node:util";
import type { BenchResult, Settings } from "./bench.ts";
import { record } from "./record.ts";
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
many times better than it the value is (below 1.00 the target is missed). With names, only these rows, or those whose
name starts with one that is no row's.

  --repeats K     measurements a row, of which the median counts (default 5)
  --ms N          CPU time of a measurement at least, ms (default 300)
  --warm-ups K    rounds before them that don't count (default 2)
  --scale F       factor on the sizes, such as 0.1 for a quick look (default 1)
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
    repeats: positive("--repeats", values.repeats),
    minMs: positive("--ms", values.ms),
    warmUps: countOf("--warm-ups", values["warm-ups"]),
    scale: positive("--scale", values.scale),
    rows: positive("--rows", values.rows),
    dataset: values.dataset,
  };
  if (values.record) refuseOthers(values);
  const results = await measured(positionals, settings);
  console.log(values.json ? JSON.stringify(results, null, 2) : resultTable(results));
  if (values.record) {
    record(
      results,
      benches.flatMap(({ rows }) => rows.map(({ name }) => name)),
    );
  }
  const missed = results.filter(({ ratio }) => ratio !== null && ratio < 1);
  if (!values.strict || missed.length === 0) return;
  console.error(`below the target: ${missed.map(({ name }) => name).join(", ")}`);
  process.exitCode = 1;
}

async function measured(names: readonly string[], settings: Settings): Promise<BenchResult[]> {
  const known = new Set(benches.flatMap(({ rows }) => rows.map(({ name }) => name)));
  const isWanted = ({ name }: { name: string }) =>
    names.length === 0 ||
    names.some((one) => (known.has(one) ? name === one : name.startsWith(one)));
  const strange = names.filter((one) => ![...known].some((name) => name.startsWith(one)));
  if (strange.length > 0) throw new Error(`no row starts with ${strange.join(" or ")}`);
  const wanted = benches.filter((bench) => bench.rows.some(isWanted));
  const results: BenchResult[] = [];
  for (const bench of wanted) {
    console.error(`measuring ${bench.rows[0]?.name} …`);
    results.push(...(await runBench(bench, settings)).filter(isWanted));
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

function positive(flag: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`${flag} takes a number above 0, not "${text}"`);
  return value;
}

function countOf(flag: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`${flag} takes a whole number, not "${text}"`);
  return Number(text);
}
