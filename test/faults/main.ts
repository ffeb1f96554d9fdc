import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../../cli/local/root.ts";
import { wholeNumber } from "../support/number-options.ts";
import { thisMachine } from "../support/this-machine.ts";
import { tableText } from "./fault-table.ts";
import { figureLines } from "./figures.ts";
import type { Verdict } from "./judge.ts";
import { prove } from "./proof.ts";
import { proveRunner, runnerProblems } from "./runner-proof.ts";
import { type Size, sizeOf } from "./size.ts";
import { proveSteps } from "./steps.ts";

const usage = `npm run test:faults [-- options]

Injects every fault into the service in workerd, and tests faults that depend on timing step by step.
Checks that nothing was lost, and prints a table of injected, survived and lost faults.
Linux and macOS.

  --samples N  samples per run (default 200; at most 8000)
  --kills N    number of server kills (default 5)
  --seed S     seed of all random choices (default 1)
  --runners    instead test a run through two runners, which are killed in turn, as often as the server
  --json       print the result as JSON
  --record     save the result for the site's page /reliability/
  --help       show this

Example
  npm run test:faults -- --samples 5000`;

/** Default kills of the service and of runners. Few, as requests of a killed runner wait a minute for the other. */
const RUNNER_KILLS = 3;

const recordFile = join(root, "site", "src", "data", "docs", "fault-proof.json");

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      samples: { type: "string" },
      kills: { type: "string" },
      seed: { type: "string" },
      runners: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      record: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(usage);
  const size = sizeOf(
    numberOf("--samples", values.samples, 8_000),
    numberOf("--kills", values.kills, 1_000),
    values.seed,
  );
  if (values.runners) {
    const kills = values.kills === undefined ? RUNNER_KILLS : size.kills;
    return throughRunners({ samples: size.rows.length, kills, seed: size.seed });
  }
  const started = performance.now();
  const verdict = await proveAll(size);
  const seconds = (performance.now() - started) / 1000;
  if (values.json) console.log(JSON.stringify(verdict, null, 2));
  else console.log(`${tableText(verdict.rows)}\n\n${figureLines(verdict.figures)}`);
  console.error(`${seconds.toFixed(0)} s, seed ${size.seed}`);
  for (const problem of verdict.problems) console.error(`✗ ${problem}`);
  if (values.record && verdict.problems.length === 0) record(verdict, size.seed, seconds);
  process.exit(verdict.problems.length === 0 ? 0 : 1);
}

async function throughRunners(size: {
  samples: number;
  kills: number;
  seed: string;
}): Promise<void> {
  const verdict = await proveRunner(size, (step) => console.error(step));
  const { direct, tunnelled, ...counts } = verdict;
  const problems = runnerProblems(verdict, size);
  console.log(JSON.stringify({ ...counts, problems }, null, 2));
  process.exit(problems.length === 0 ? 0 : 1);
}

async function proveAll(size: Size): Promise<Verdict> {
  const verdict = await prove(size, (step) => console.error(step));
  console.error("step by step …");
  const steps = proveSteps();
  return {
    ...verdict,
    rows: [...verdict.rows, ...steps.rows],
    problems: [...verdict.problems, ...steps.problems],
  };
}

function numberOf(option: string, text: string | undefined, most: number): number | undefined {
  return text === undefined ? undefined : wholeNumber(option, text, most);
}

/** Saves the result and the machine for the site. */
function record({ rows, figures }: Verdict, seed: string, seconds: number): void {
  const machine = thisMachine();
  const date = new Date().toISOString().slice(0, 10);
  const content = { date, seed, seconds: Math.round(seconds), machine, figures, rows };
  writeFileSync(recordFile, `${JSON.stringify(content, null, 2)}\n`);
}
