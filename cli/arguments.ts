import { parseArgs } from "node:util";
import { BadInput } from "./bad-input.ts";
import type { Flags } from "./commands/command.ts";
import { suggestion } from "./suggestion.ts";

/** A command's flags and positionals; throws BadInput, with the flag that may have been meant. */
export function parseArguments<const F extends Flags>(args: readonly string[], flags: F) {
  try {
    return parseArgs({ args: [...args], options: flags, allowPositionals: true, strict: true });
  } catch (error) {
    throw argumentProblem(error as NodeJS.ErrnoException, flags);
  }
}

function argumentProblem(error: NodeJS.ErrnoException, flags: Flags): Error {
  if (!error.code?.startsWith("ERR_PARSE_ARGS")) return error;
  if (error.code !== "ERR_PARSE_ARGS_UNKNOWN_OPTION") {
    // The rest explains how to pass a value that begins with a dash.
    return new BadInput(error.message.split(/\. |\n/)[0]!);
  }
  const given = /'(-[^']*)'/.exec(error.message)?.[1] ?? "";
  const known = Object.keys(flags).map((name) => `--${name}`);
  return new BadInput(`there is no flag ${given}${suggestion(given, known)}`);
}
