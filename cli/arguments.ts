import { parseArgs } from "node:util";
import { BadInput } from "./bad-input.ts";
import type { Command, Flags } from "./commands/command.ts";
import { suggestion } from "./suggestion.ts";

/** A command's flags and positionals; throws BadInput, with the flag that may have been meant. */
export function parseArguments<const F extends Flags>(
  given: readonly string[],
  flags: F,
  usual: Command["usual"] = {},
) {
  const args = given.map((arg, i) => {
    const flag = usual[arg.replace(/^--/, "")];
    const isBare =
      flag !== undefined && arg.startsWith("--") && !flag.given.test(given[i + 1] ?? "");
    return isBare ? `${arg}=${flag.value}` : arg;
  });
  try {
    return parseArgs({ args, options: flags, allowPositionals: true, strict: true });
  } catch (error) {
    throw argumentProblem(error as NodeJS.ErrnoException, flags);
  }
}

function argumentProblem(error: NodeJS.ErrnoException, flags: Flags): Error {
  if (!error.code?.startsWith("ERR_PARSE_ARGS")) return error;
  if (error.code !== "ERR_PARSE_ARGS_UNKNOWN_OPTION") {
    return new BadInput(valueProblem(error.message));
  }
  const given = /'(-[^']*)'/.exec(error.message)?.[1] ?? "";
  const known = Object.keys(flags).map((name) => `--${name}`);
  const near = suggestion(given, known) || "; --help lists what there is";
  return new BadInput(`there is no flag ${given}${near}`);
}

/** What Node says of a flag's value in a sentence; the rest explains how to pass one that begins with a dash. */
function valueProblem(message: string): string {
  const flag = /^Option '[^']*?(--[\w-]+)/.exec(message)?.[1] ?? "";
  if (flag === "") return message.split(/\. |\n/)[0]!;
  if (message.includes("does not take")) return `${flag} takes no value`;
  return message.includes("ambiguous")
    ? `${flag} needs a value; one that begins with a dash is given as ${flag}=-value`
    : `${flag} needs a value`;
}
