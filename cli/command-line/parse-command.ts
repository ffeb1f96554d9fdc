import { parseArgs } from "node:util";
import { suggestion } from "#shared/contracts/text/suggestion.ts";
import { BadInput } from "../errors.ts";
import { allFlags, type Declaration, type Flags, type Positional } from "./command.ts";

type FlagValues = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
type Given = string | undefined;

/** A command's checked arguments; `help`: only its help or schema was requested. */
type Parsed =
  | { help: "text" | "json-schema" }
  | { help: null; values: FlagValues; positionals: Given[] };

/**
 * Parses the arguments of a command. Throws BadInput that names the flag or argument and suggests the nearest known
 * name.
 */
export function parseCommand(command: Declaration, given: readonly string[]): Parsed {
  const { values, positionals } = parsed(command, given);
  if (values["help"] === true) return { help: "text" };
  if (values["json-schema"] === true) return { help: "json-schema" };
  checkValues(command.flags, values);
  const lacking = Object.entries(command.flags).flatMap(([name, flag]) =>
    flag.type === "string" && flag.required && values[name] === undefined
      ? [`--${name} ${flag.value}`]
      : [],
  );
  const args = placed(command, positionals);
  if (lacking.length > 0) {
    throw new BadInput(`${lacking.join(" and ")} ${lacking.length > 1 ? "are" : "is"} required`);
  }
  return { help: null, values, positionals: args };
}

function parsed(command: Declaration, given: readonly string[]) {
  const flags = allFlags(command);
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [
      name,
      flag.type === "string"
        ? { type: flag.type, multiple: flag.multiple ?? false }
        : { type: flag.type, ...(flag.short && { short: flag.short }) },
    ]),
  );
  const args = given.map((arg, i) => {
    const flag = arg.startsWith("--") ? flags[arg.slice(2)] : undefined;
    const bare = flag?.type === "string" ? flag.bare : undefined;
    const isBare = bare !== undefined && !bare.given.test(given[i + 1] ?? "");
    return isBare ? `${arg}=${bare.value}` : arg;
  });
  try {
    const config = { args, options, allowPositionals: true };
    const { values, positionals } = parseArgs({ ...config, strict: true });
    return { values: values as FlagValues, positionals };
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
  return new BadInput(
    `unknown flag ${given}${suggestion(given, known) || "; --help lists the flags"}`,
  );
}

/** Node's message in one sentence, without its advice on values that begin with a dash. */
function valueProblem(message: string): string {
  const flag = /^Option '[^']*?(--[\w-]+)/.exec(message)?.[1] ?? "";
  if (flag === "") return message.split(/\. |\n/)[0]!;
  if (message.includes("does not take")) return `${flag} takes no value`;
  return message.includes("ambiguous")
    ? `${flag} needs a value; write one that begins with a dash as ${flag}=-value`
    : `${flag} needs a value`;
}

function checkValues(flags: Flags, values: FlagValues): void {
  for (const [name, flag] of Object.entries(flags)) {
    if (flag.type !== "string") continue;
    for (const value of [values[name] ?? []].flat()) {
      if (isEmpty(`${value}`))
        throw new BadInput(`--${name} needs a value: ${flag.value} is empty`);
      if (flag.choices && !flag.choices.includes(`${value}`))
        throw unknown(`--${name}`, `${value}`, flag.choices);
    }
  }
}

/** An empty value is usually a shell variable that is not set. */
const isEmpty = (given: string) => given.trim() === "";

function unknown(what: string, value: string, choices: readonly string[], hint = ""): BadInput {
  const near = suggestion(value, choices) || hint || `; choose ${choices.join(", ")}`;
  return new BadInput(`unknown ${what} "${value}"${near}`);
}

/**
 * Assigns arguments to positionals; optional positionals get a value only if there are more arguments than required.
 */
function placed(command: Declaration, given: readonly string[]): Given[] {
  const positionals = command.positionals ?? [];
  let spare = given.length - positionals.filter(({ optional }) => !optional).length;
  const rest = [...given];
  const args = positionals.flatMap((positional): Given[] => {
    if (positional.many && rest.length > 0) return rest.splice(0);
    if (positional.optional && spare-- <= 0) return [undefined];
    return [rest.shift() ?? missing(positional)];
  });
  for (const [i, { name, help, choices }] of positionals.entries()) {
    const arg = args[i];
    if (args.slice(i).some((one) => one !== undefined && isEmpty(one)))
      throw new BadInput(`<${name}> is empty: ${help}`);
    if (arg === undefined || choices === undefined || choices.includes(arg)) continue;
    throw unknown(name, arg, choices, meantFlag(command, arg));
  }
  const [surplus] = rest;
  if (surplus === undefined) return args;
  const hint = meantFlag(command, surplus) || `; --help lists the arguments`;
  throw new BadInput(`unexpected argument "${surplus}"${hint}`);
}

function missing({ name, help, choices }: Positional): never {
  throw new BadInput(`<${name}> is required: ${choices?.join(", ") ?? help}`);
}

const meantFlag = ({ likelyFlag }: Declaration, arg: string): string =>
  likelyFlag === undefined ? "" : `; did you mean --${likelyFlag} ${arg}?`;
