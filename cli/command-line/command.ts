import type { Readable, Writable } from "node:stream";
import { z } from "zod";

/** Input and output of a command: the process, or a replacement in a test. */
export interface Terminal {
  stdin: Readable;
  /** `columns`: width, if it is a terminal. */
  stdout: Writable & { columns?: number };
  stderr: Writable;
}

export interface BooleanFlag {
  type: "boolean";
  help: string;
  short?: string;
  /** Title in help; without it, Options. */
  section?: string;
  /** Only for `--json`: the schema of the output. */
  schema?: z.ZodType;
}

export interface StringFlag {
  type: "string";
  /** Placeholder in help, such as FILE. */
  value: string;
  help: string;
  /** The only values that are accepted. */
  choices?: readonly string[];
  /** Shown in help; the command applies it. */
  default?: string;
  /** Environment variable with the same effect, shown in help. */
  env?: string;
  required?: true;
  multiple?: true;
  /** The flag may be given without a value: `value` is then used, unless the next argument matches `given`. */
  bare?: { value: string; given: RegExp };
  section?: string;
}

export type Flags = Readonly<Record<string, BooleanFlag | StringFlag>>;

export interface Positional {
  /** Placeholder in help and errors. */
  name: string;
  help: string;
  choices?: readonly string[];
  optional?: true;
  /** One or more; only the last positional can be. */
  many?: true;
}

type Value<F> = F extends { type: "boolean" }
  ? boolean
  : F extends { multiple: true }
    ? ChosenFrom<F>[]
    : ChosenFrom<F>;

/** Values of a command's flags: required ones are always present. */
export type Values<F extends Flags> = {
  [K in keyof F as F[K] extends { required: true } ? K : never]: Value<F[K]>;
} & {
  [K in keyof F as F[K] extends { required: true } ? never : K]?: Value<F[K]> | undefined;
};

type ChosenFrom<T> = T extends { choices: readonly (infer C extends string)[] } ? C : string;

/** One element for each positional; `undefined` for an optional one that is left out. */
export type Arguments<P extends readonly Positional[]> = P extends readonly [infer H, ...infer R]
  ? H extends { many: true }
    ? [string | (H extends { optional: true } ? undefined : never), ...string[]]
    : [
        ChosenFrom<H> | (H extends { optional: true } ? undefined : never),
        ...Arguments<R extends readonly Positional[] ? R : []>,
      ]
  : [];

export interface CommandOf<F extends Flags, P extends readonly Positional[]> {
  /** One word, or two for a command of a group, such as `keys list`. */
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** What the command does: paragraphs. */
  description: readonly string[];
  /** If it differs from name, required flags and positionals. */
  usage?: readonly string[];
  positionals?: P;
  flags: F;
  /** Flag to suggest for a surplus argument. */
  likelyFlag?: keyof F & string;
  /** Variables without a flag. */
  environment?: Readonly<Record<string, string>>;
  /** Meanings of exit codes in addition to 0 and 2, or instead of their default text. */
  exitCodes?: Readonly<Record<number, string>>;
  /** Terms with explanations, such as kinds of exports: sections of help by title. */
  lists?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Limits and background: paragraphs. */
  notes?: readonly string[];
  examples?: readonly string[];
  /** Throws BadInput if the input is invalid, NotPassed if a check failed. */
  run(values: Values<F>, positionals: Arguments<P>, terminal: Terminal): Promise<void>;
}

/** A command whose flags and positionals are not known to the compiler. */
export type Command = CommandOf<Flags, readonly Positional[]>;

/** The part of a command that help and parsing need; also for npm start and npm run deploy. */
export type Declaration = Omit<Command, "run">;

/** Declares a command: its help, parsing, shell completion and page on the site are made from the declaration. */
export const command = <const F extends Flags, const P extends readonly Positional[] = []>(
  declared: CommandOf<F, P>,
): Command => declared as unknown as Command;

/** A flag with a value; `value` is its placeholder in help, such as FILE. */
export const valueFlag = <
  const More extends Omit<StringFlag, "type" | "value" | "help"> = Record<never, never>,
>(
  value: string,
  help: string,
  more?: More,
) => ({ type: "string" as const, value, help, ...(more as More) });

/** `--json` of a command. `schema` types what it prints; `--json-schema` prints the schema. */
export const jsonFlag = <S extends z.ZodType>(schema: S, help = "Print the result as JSON") => ({
  type: "boolean" as const,
  help,
  schema,
  /** The printed text. */
  text: (value: z.output<S>): string => JSON.stringify(value, null, 2),
});

const jsonSchemaFlag = {
  type: "boolean",
  help: "Print the JSON Schema of what --json prints, and do nothing else",
} as const;

const helpFlag = { type: "boolean", help: "Show this help", short: "h" } as const;

const resultOf = ({ json }: Flags): z.ZodType | undefined =>
  json?.type === "boolean" ? json.schema : undefined;

/** Flags of a command, including the flags that every command has. */
export const allFlags = ({ flags }: Pick<Declaration, "flags">): Flags => ({
  ...flags,
  ...(resultOf(flags) && { "json-schema": jsonSchemaFlag }),
  help: helpFlag,
});

/** JSON Schema (2020-12) of what a command prints with `--json`; null if it has no such flag. */
export function resultJsonSchema({ flags }: Pick<Declaration, "flags">) {
  const schema = resultOf(flags);
  if (schema === undefined) return null;
  return z.toJSONSchema(schema, { io: "output", unrepresentable: "any" });
}
