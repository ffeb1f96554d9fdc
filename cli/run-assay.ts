import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { parseArguments } from "./arguments.ts";
import { BadInput } from "./bad-input.ts";
import type { Command, Terminal } from "./commands/command.ts";
import { commands } from "./commands.ts";
import { type Found, findCommand } from "./find-command.ts";
import { NotPassed } from "./not-passed.ts";
import { printable } from "./printable.ts";

/** Exit codes: what did not pass; input that needs a change, what can't be reached, and a fault of ours. */
const NOT_PASSED = 1;
const FAILED = 2;
/** Set, it shows where a fault is. */
const DEBUG_VARIABLE = "ASSAY_DEBUG";

/**
 * Runs one command of `assay` and returns its exit code: 0; 1 for what did not pass, and 2 for input that needs a
 * change and faults of ours, each said on one line of standard error.
 */
export async function runAssay(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await dispatch(args, terminal);
    return 0;
  } catch (error) {
    const isTold = error instanceof BadInput || error instanceof NotPassed;
    const said = isTold ? printable(error.message) : faultText(error);
    terminal.stderr.write(`${said}\n`);
    return error instanceof NotPassed ? NOT_PASSED : FAILED;
  }
}

function faultText(error: unknown): string {
  if (process.env[DEBUG_VARIABLE]) return inspect(error);
  const message = printable(error instanceof Error ? error.message : String(error));
  return `a fault of assay itself: ${message}; ${DEBUG_VARIABLE}=1 shows where`;
}

async function dispatch(given: readonly string[], terminal: Terminal): Promise<void> {
  const print = (text: string) => void terminal.stdout.write(`${text}\n`);
  const [name] = given;
  if (name === undefined || name === "--help" || name === "-h") return print(overview());
  if (name === "--version" || name === "-v") return print(version());
  if (name === "help") return print(given.length === 1 ? overview() : helpOn(given.slice(1)));
  const found = findCommand(commands, given);
  if (found.kind === "group") return print(groupHelp(found));
  const { command, args } = found;
  const flags = { ...command.flags, help: { type: "boolean", short: "h" } } as const;
  const { values, positionals } = parseArguments(args, flags, command.usual);
  if (values.help) return print(command.help);
  await command.run(values, positionals, terminal);
}

function helpOn(given: readonly string[]): string {
  const found = findCommand(commands, given);
  return found.kind === "group" ? groupHelp(found) : found.command.help;
}

const groupHelp = ({ name, commands: its }: Extract<Found, { kind: "group" }>): string =>
  `assay ${name} <command> [options]

${listOf(its)}

  assay help ${name} <command>   what a command takes, with examples`;

function listOf(its: readonly Command[]): string {
  const width = Math.max(...its.map(({ name }) => name.length));
  return its.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join("\n");
}

const overview = (): string => `assay <command> [options]

Evaluates language models; see README.md for the service.

${listOf(commands)}

  assay help <command>   what a command takes, with examples
  assay --version        the version

Examples
  assay test-connection --endpoint http://localhost:11434/v1 --model llama3.1
  assay run --config assay.yaml
  assay score extraction --dataset samples.jsonl --answers answers.jsonl
  assay compare --dataset samples.jsonl --answers a.jsonl --answers b.jsonl`;

function version(): string {
  const path = new URL("../package.json", import.meta.url);
  return (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version;
}
