import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { parseArguments } from "./arguments.ts";
import { BadInput } from "./bad-input.ts";
import { canaryCommand } from "./commands/canary.ts";
import type { Command, Terminal } from "./commands/command.ts";
import { compareCommand } from "./commands/compare.ts";
import { importCommand } from "./commands/import.ts";
import { scoreCommand } from "./commands/score.ts";
import { NotPassed } from "./not-passed.ts";
import { printable } from "./printable.ts";
import { suggestion } from "./suggestion.ts";

const commands: readonly Command[] = [
  scoreCommand as Command,
  compareCommand as Command,
  importCommand as Command,
  canaryCommand as Command,
];

/** Exit codes: input that needs a change; what did not pass, and a fault of ours. */
const BAD_INPUT = 2;
const FAILED = 1;

/**
 * Runs one command of `assay` and returns its exit code: 0; 2 for input that needs a change and 1 for what
 * did not pass, each said on one line of standard error; 1 for a fault of ours, too.
 */
export async function runAssay(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await dispatch(args, terminal);
    return 0;
  } catch (error) {
    const isTold = error instanceof BadInput || error instanceof NotPassed;
    const said = isTold ? printable(error.message) : inspect(error);
    terminal.stderr.write(`${said}\n`);
    return error instanceof BadInput ? BAD_INPUT : FAILED;
  }
}

async function dispatch([name, ...args]: readonly string[], terminal: Terminal): Promise<void> {
  const print = (text: string) => void terminal.stdout.write(`${text}\n`);
  if (name === undefined || name === "--help" || name === "-h") return print(overview());
  if (name === "--version" || name === "-v") return print(version());
  if (name === "help") return print(args[0] === undefined ? overview() : find(args[0]).help);
  const chosen = find(name);
  const flags = { ...chosen.flags, help: { type: "boolean", short: "h" } } as const;
  const { values, positionals } = parseArguments(args, flags);
  if (values.help) return print(chosen.help);
  await chosen.run(values, positionals, terminal);
}

function find(name: string): Command {
  const found = commands.find((known) => known.name === name);
  if (found) return found;
  const what = name.startsWith("-") ? "flag" : "command";
  const names = [...commands.map((known) => known.name), "help", "--help", "--version"];
  const hint = suggestion(name, names) || "; assay --help lists what there is";
  throw new BadInput(`there is no ${what} ${name}${hint}`);
}

function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const list = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `assay <command> [options]

Evaluates language models; see README.md for the service.

${list.join("\n")}

  assay help <command>   what a command takes, with examples
  assay --version        the version

Examples
  assay score extraction --dataset samples.jsonl --answers answers.jsonl
  assay compare --dataset samples.jsonl --answers a.jsonl --answers b.jsonl`;
}

function version(): string {
  const path = new URL("../package.json", import.meta.url);
  return (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version;
}
