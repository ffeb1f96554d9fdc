import { inspect, styleText } from "node:util";
import { z } from "zod";
import { nearestFields } from "#shared/contracts/field-errors.ts";
import { suggestion } from "#shared/contracts/text/suggestion.ts";
import { BadInput, NotPassed } from "../errors.ts";
import { version } from "../local/root.ts";
import { printable } from "../terminal/text.ts";
import { type Command, resultJsonSchema, type Terminal } from "./command.ts";
import { commandHelp, helpText, rowsText } from "./help.ts";
import { parseCommand } from "./parse-command.ts";

const NOT_PASSED = 1;
/** Exit code for invalid input and unexpected errors. */
export const FAILED = 2;
/** Environment variable: if set, unexpected errors are printed with their stack. */
const DEBUG_VARIABLE = "ASSAY_DEBUG";

/**
 * Runs one command of `assay` and returns its exit code: 0 for success, 1 for a failed check, 2 for invalid input and
 * unexpected errors. An error is one line on standard error, and so is each reason of a failed check.
 */
export async function runAssay(args: readonly string[], terminal: Terminal): Promise<number> {
  z.config({ customError: nearestFields });
  try {
    await dispatch(args, terminal);
    return 0;
  } catch (error) {
    const isFailed = error instanceof NotPassed;
    const { stderr } = terminal;
    const text = isFailed ? error.message.split("\n").map(printable).join("\n") : errorText(error);
    stderr.write(`${styleText("red", text, { stream: stderr })}\n`);
    return isFailed ? NOT_PASSED : FAILED;
  }
}

async function dispatch(given: readonly string[], terminal: Terminal): Promise<void> {
  const { columns } = terminal.stdout;
  const print = (text: string) => void terminal.stdout.write(`${text}\n`);
  const [name] = given;
  const isOverview = name === undefined || name === "--help" || name === "-h";
  if (isOverview || (name === "help" && given.length === 1)) return print(await overview(terminal));
  if (name === "--version" || name === "-v") return print(version());
  const isHelp = name === "help";
  const named = isHelp ? given.slice(1) : given;
  const found = findCommand(await commandsNamed(named[0] ?? ""), named);
  if (found.kind === "group") return print(groupHelp(found, columns));
  const { command, args } = found;
  const parsed = isHelp ? ({ help: "text" } as const) : parseCommand(command, args);
  if (parsed.help === "text") return print(helpText(commandHelp(command), columns));
  if (parsed.help !== null) return print(JSON.stringify(resultJsonSchema(command), null, 2));
  const { values, positionals } = parsed;
  // Their types follow from the declaration with which they were parsed.
  await command.run(values as never, positionals as never, terminal);
}

async function overview({ stdout }: Terminal): Promise<string> {
  const { groups } = await import("./commands.ts");
  return `assay <command> [options]

Evaluates language models; see README.md for the service.

${groups.map((group) => groupText(group, stdout)).join("\n\n")}

  assay help <command>             options and examples of a command
  assay <command> --json           print the result as JSON
  assay <command> --json-schema    print the JSON Schema of that result
  assay --version                  print the version

Examples
  assay test-connection --endpoint http://localhost:11434/v1 --model llama3.1
  assay run --config assay.yaml
  assay score extraction --dataset samples.jsonl --answers answers.jsonl
  assay compare --dataset samples.jsonl --answers a.jsonl --answers b.jsonl`;
}

/** Width of the names in the overview, the same for all groups. */
const NAMES = 19;

const groupText = (
  { title, commands: listed }: { title: string; commands: readonly Command[] },
  stream: Terminal["stdout"],
): string => `${styleText("bold", title, { stream })}\n${listOf(listed, stream.columns, NAMES)}`;

const listOf = (listed: readonly Command[], columns: number | undefined, least = 0): string =>
  rowsText(
    listed.map(({ name, summary }) => [name, summary]),
    columns,
    least,
  );

const login = () => import("../commands/login.ts");

/** Modules with all commands that start with a word. Loading every command takes 0.3 s longer. */
export const modules: Readonly<Record<string, () => Promise<object>>> = {
  compare: () => import("../commands/compare.ts"),
  export: () => import("../commands/export.ts"),
  init: () => import("../commands/init.ts"),
  judge: () => import("../commands/judge.ts"),
  keys: () => import("../commands/keys.ts"),
  login,
  logout: login,
  mcp: () => import("../commands/mcp.ts"),
  pairs: () => import("../commands/pairs.ts"),
  plan: () => import("../commands/plan.ts"),
  report: () => import("../commands/report.ts"),
  rescore: () => import("../commands/rescore.ts"),
  run: () => import("../commands/run.ts"),
  runner: () => import("../commands/runner.ts"),
  score: () => import("../commands/score.ts"),
  status: () => import("../commands/status.ts"),
  "test-connection": () => import("../commands/test-connection.ts"),
  "validate-config": () => import("../commands/validate-config.ts"),
  verify: () => import("../commands/verify.ts"),
  whoami: login,
};

/** The commands that start with a word if one module has them, otherwise every command. */
export async function commandsNamed(first: string): Promise<readonly Command[]> {
  const load = Object.hasOwn(modules, first) ? modules[first] : undefined;
  if (load === undefined) return (await import("./commands.ts")).commands;
  const exported: (Partial<Command> | undefined)[] = Object.values(await load()).flat();
  return exported.filter(
    (one): one is Command => one?.name?.split(" ")[0] === first && "run" in one,
  );
}

/** The named command with the remaining arguments, or a group of commands with its first word. */
type Found =
  | { kind: "command"; command: Command; args: readonly string[] }
  | { kind: "group"; name: string; commands: readonly Command[] };

/** Finds the command in the first one or two arguments. Throws BadInput with the nearest known name. */
function findCommand(commands: readonly Command[], given: readonly string[]): Found {
  const [first = "", second = ""] = given;
  const single = commands.find(({ name }) => name === first);
  if (single) return { kind: "command", command: single, args: given.slice(1) };
  const group = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length === 0) throw unknown(first, [...firstWords(commands), "help"]);
  const chosen = group.find(({ name }) => name === `${first} ${second}`);
  if (chosen) return { kind: "command", command: chosen, args: given.slice(2) };
  if (second === "" || second.startsWith("-")) {
    return { kind: "group", name: first, commands: group };
  }
  const names = group.map(({ name }) => name.slice(first.length + 1));
  const hint = suggestion(second, names) || `; choose ${names.join(", ")}`;
  throw new BadInput(`unknown command ${first} ${second}${hint}`);
}

function unknown(given: string, names: readonly string[]): BadInput {
  const isFlag = given.startsWith("-");
  const known = isFlag ? ["--help", "--version"] : names;
  const hint = suggestion(given, known) || "; assay --help lists the commands";
  return new BadInput(`unknown ${isFlag ? "flag" : "command"} ${given}${hint}`);
}

const firstWords = (commands: readonly Command[]): string[] => [
  ...new Set(commands.map(({ name }) => name.split(" ")[0]!)),
];

const groupHelp = (
  { name, commands: listed }: Extract<Found, { kind: "group" }>,
  columns: number | undefined,
): string =>
  `assay ${name} <command> [options]

${listOf(listed, columns)}

  assay help ${name} <command>   options and examples of a command`;

function errorText(error: unknown): string {
  if (error instanceof BadInput) return printable(error.message);
  if (process.env[DEBUG_VARIABLE]) return inspect(error);
  const message = printable(error instanceof Error ? error.message : String(error));
  return `unexpected error in assay: ${message}; set ${DEBUG_VARIABLE}=1 for the stack`;
}
