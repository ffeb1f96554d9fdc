import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../../cli/local/root.ts";
import { thisMachine } from "../support/this-machine.ts";
import { type Check, holds } from "./check.ts";
import { coverage, otherIntervals } from "./coverage.ts";
import { detectedDrops, falseAlarms, foundDrifts } from "./drift.ts";
import { falsePositives, marginLevel } from "./false-positives.ts";
import { hostLevel } from "./hosts.ts";
import { correctedMeans } from "./people.ts";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});
const usage = `Simulates models with known true scores, and counts how often intervals, tests and drift detection are correct.
Takes about six minutes on two cores. Exits with 1 if a share is outside its bounds.

  npm run validate [-- --quick] [--json] [--record]

  --quick   a twentieth of the simulations, with three standard errors of slack
  --json    print the table as JSON
  --record  save the table for the site's page “How sure are these numbers?”`;

/** The table of this command. */
interface Validation {
  date: string;
  machine: ReturnType<typeof thisMachine>;
  seconds: number;
  checks: Check[];
}

const percent = (share: number) => `${(100 * share).toFixed(1)}%`;

function lineOf(check: Check, isHeld: boolean): string {
  const { what, happened, of, least, most, width } = check;
  const bound = least ? `at least ${percent(least)}` : most ? `at most ${percent(most)}` : "";
  const wide = width === undefined ? "" : `, mean width ${width.toPrecision(3)}`;
  return `  ${isHeld ? "✓" : "✗"} ${what}: ${percent(happened / of)} of ${of} (${bound || "no bound"}${wide})`;
}

function* allChecks(scale: number): Generator<Check> {
  const drifts = [falseAlarms, foundDrifts, detectedDrops];
  const all = [
    coverage,
    otherIntervals,
    correctedMeans,
    falsePositives,
    marginLevel,
    hostLevel,
    ...drifts,
  ];
  for (const make of all) yield* make(scale);
}

function validate(): number {
  const begun = performance.now();
  const errors = values.quick ? 3 : 1;
  const checks: Check[] = [];
  for (const check of allChecks(values.quick ? 0.05 : 1)) {
    if (!values.json) print(check, checks.at(-1)?.group, holds(check, errors));
    checks.push(check);
  }
  const seconds = Math.round((performance.now() - begun) / 1000);
  const date = new Date().toISOString().slice(0, 10);
  const table: Validation = { date, machine: thisMachine(), seconds, checks };
  const failed = checks.filter((check) => !holds(check, errors)).length;
  const last = `\n${checks.length - failed} of ${checks.length} hold, in ${seconds} s.`;
  console.log(values.json ? JSON.stringify(table, null, 2) : last);
  if (values.record) {
    const file = join(root, "site", "src", "data", "docs", "validation.json");
    writeFileSync(file, `${JSON.stringify(table, null, 2)}\n`);
  }
  return failed === 0 ? 0 : 1;
}

/** Prints a line of the table, after the name of a new group. */
function print(check: Check, before: string | undefined, isHeld: boolean): void {
  if (check.group !== before) console.log(`\n${check.group}`);
  console.log(lineOf(check, isHeld));
}

if (values.help) console.log(usage);
else process.exitCode = validate();
