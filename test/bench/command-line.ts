import { statSync } from "node:fs";
import { join } from "node:path";
import { positive } from "../support/number-options.ts";
import type { Settings } from "./bench.ts";

const stock = join(import.meta.dirname, "../../shared/suites/extraction/stock.jsonl");

/** Default options. */
export const usual = {
  repeats: "5",
  ms: "300",
  "warm-ups": "4",
  scale: "1",
  dataset: stock,
  rows: "100000",
} as const;

export const options = {
  repeats: { type: "string", default: usual.repeats },
  ms: { type: "string", default: usual.ms },
  "warm-ups": { type: "string", default: usual["warm-ups"] },
  scale: { type: "string", default: usual.scale },
  dataset: { type: "string", default: usual.dataset },
  rows: { type: "string", default: usual.rows },
  "beside-load": { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  record: { type: "boolean", default: false },
  strict: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

export const usage = `npm run bench [-- names] [-- options]

Measures the project's performance targets and prints one table. Machines differ, so most rows are ratios: the measured
work and its yardstick, other work on the same machine, alternate, and the median ratio of these pairs counts. A target
"≤ 2 ×" limits measured ÷ yardstick; "≥ 10 ×" requires yardstick ÷ measured, that is, ten times as fast. The table also
shows absolute values. All rows together take long, so --record writes after each bench. The rows peers/… and
site/lighthouse install npm packages into a temporary folder.

Names select rows: a row (scoring/gold, or gold if no other group has one), a group (scoring), or a prefix
(scoring/array). An unknown name lists all rows.

  --repeats K     pairs per row, of whose ratios the median counts (default 5; fewer for long rows)
  --ms N          minimum CPU time of a measurement, ms (default 300)
  --warm-ups K    rounds before the measurements (default 4)
  --scale F       factor on the sizes, such as 0.1 for a quick look; ignores targets (default and maximum 1)
  --dataset FILE  samples for the rows scoring/… (default: the stock dataset of the suite)
  --rows N        rows in the file that offline/… scores (default 100000)
  --beside-load   measure each ratio alternately alone and next to a busy process for each core; exit with 1 if a
                  ratio changes by more than 25% or a bench fails
  --strict        exit with 1 if a target is missed
  --json          print the rows as JSON (use npm run -s for only JSON)
  --record        save all rows for the site's page /performance/
  --help          show this

Examples
  npm run bench -- scoring
  npm run bench -- service peers --strict`;

type Values = Record<keyof typeof usual, string>;

/** Throws with a message that names the flag. */
export const settingsOf = (values: Values): Settings => ({
  repeats: countOf("--repeats", values.repeats, 1),
  minMs: positive("--ms", values.ms),
  warmUps: countOf("--warm-ups", values["warm-ups"], 0),
  scale: shareOf("--scale", values.scale),
  rows: countOf("--rows", values.rows, 1),
  dataset: fileOf("--dataset", values.dataset),
});

function fileOf(flag: string, path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) return path;
  throw new Error(`${flag} takes a file of samples as JSON Lines; "${path}" is not a file`);
}

function shareOf(flag: string, text: string): number {
  const value = positive(flag, text);
  if (value > 1) throw new Error(`${flag} takes a number up to 1, not "${text}"`);
  return value;
}

function countOf(flag: string, text: string, least: number): number {
  if (/^\d+$/.test(text) && Number(text) >= least) return Number(text);
  throw new Error(`${flag} takes a whole number of at least ${least}, not "${text}"`);
}
