import { BadInput } from "../errors.ts";
import type { Command } from "./command.ts";
import { suggestion } from "./suggestion.ts";

/** The command that arguments name, with the remaining arguments; or a group of commands, by its first word. */
export type Found =
  | { kind: "command"; command: Command; args: readonly string[] }
  | { kind: "group"; name: string; commands: readonly Command[] };

/** Finds the command of one or two words that arguments begin with. Throws BadInput with the nearest known name. */
export function findCommand(commands: readonly Command[], given: readonly string[]): Found {
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
