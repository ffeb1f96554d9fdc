import type { Readable, Writable } from "node:stream";
import type { ParseArgsConfig, parseArgs } from "node:util";

/** What a command reads and prints to: the process, or what stands for it in a test. */
export interface Terminal {
  stdin: Readable;
  stdout: Writable;
  stderr: Writable;
}

/** The flags a command knows, as `node:util` parses them. */
export type Flags = NonNullable<ParseArgsConfig["options"]>;

type Values<F extends Flags> = ReturnType<
  typeof parseArgs<{ options: F; allowPositionals: true; strict: true }>
>["values"];

/** One command of `assay`: a file in this folder, listed in `cli/commands.ts`. */
export interface Command<F extends Flags = Flags> {
  /** One word, or two where it is one of a group, as `keys list`. */
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** What `assay <name> --help` prints, examples included. */
  help: string;
  flags: F;
  /** Flags whose value may be left out: what it is then, and what values look like. */
  usual?: Readonly<Record<string, { value: string; given: RegExp }>>;
  /** Throws BadInput where the input needs a change. */
  run(values: Values<F>, positionals: string[], terminal: Terminal): Promise<void>;
}

/** Keeps the types of a command's flags. */
export function command<const F extends Flags>(definition: Command<F>): Command<F> {
  return definition;
}
