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
    // The rest explains how to pass a value that begins with a dash.
    return new BadInput(error.message.split(/\. |\n/)[0]!);
  }
  const given = /'(-[^']*)'/.exec(error.message)?.[1] ?? "";
  const known = Object.keys(flags).map((name) => `--${name}`);
  return new BadInput(`there is no flag ${given}${suggestion(given, known)}`);
}
