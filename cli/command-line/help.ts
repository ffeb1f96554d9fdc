import type { CommandHelp, HelpSection } from "#shared/contracts/submissions/command-help.ts";
import { wrapText } from "../terminal/text.ts";
import {
  allFlags,
  type BooleanFlag,
  type Declaration,
  type Positional,
  type StringFlag,
} from "./command.ts";

const ENV_FILE =
  "Variables can also be set in a file .env in the working directory; the environment takes precedence.";

const OPTIONS = "Options";

/** Wider lines are hard to read. */
const MAX_COLUMNS = 100;
const MIN_COLUMNS = 40;

/** Longer terms get a separate line. */
const MAX_TERM = 22;

/** Help of a command as data, for the terminal and the site. */
export function commandHelp(command: Declaration): CommandHelp {
  const { name, summary, description, environment = {}, notes = [], examples = [] } = command;
  const hasKey = Object.keys(environment).length > 0;
  return {
    name,
    summary,
    usage: [...(command.usage ?? [usageLine(command)])],
    description: [...description],
    sections: [
      { title: "Arguments", rows: (command.positionals ?? []).map(argumentRow) },
      ...flagSections(command),
      ...Object.entries(command.lists ?? {}).map(([title, list]) => ({
        title,
        rows: Object.entries(list),
      })),
      { title: "Environment", rows: Object.entries(environment) },
      { title: "Exit codes", rows: exitRows(command) },
    ].filter(({ rows }) => rows.length > 0),
    notes: [...notes, ...(hasKey ? [ENV_FILE] : [])],
    examples: [...examples],
  };
}

function usageLine({ name, flags, positionals = [] }: Declaration): string {
  const required = Object.entries(flags).flatMap(([flag, { type, ...rest }]) =>
    "required" in rest ? [`--${flag} ${rest.value}`] : [],
  );
  return ["assay", name, ...positionals.map(placeholder), ...required, "[options]"].join(" ");
}

const placeholder = ({ name, optional, many }: Positional): string =>
  `${optional ? `[${name}]` : `<${name}>`}${many ? " …" : ""}`;

const argumentRow = (positional: Positional): [string, string] => [
  placeholder(positional),
  withFacts(positional.help, [choicesText(positional.choices)]),
];

function withFacts(help: string, facts: readonly string[]): string {
  const known = facts.filter(Boolean);
  return known.length === 0 ? help : `${help} [${known.join("; ")}]`;
}

const choicesText = (choices: readonly string[] | undefined): string =>
  choices === undefined ? "" : `one of ${choices.join(", ")}`;

function flagSections(command: Declaration): HelpSection[] {
  const all = Object.entries(allFlags(command));
  const titles = new Set([OPTIONS, ...all.map(([, { section }]) => section ?? OPTIONS)]);
  return [...titles].map((title) => ({
    title,
    rows: all.filter(([, { section = OPTIONS }]) => section === title).map(flagRow),
  }));
}

function flagRow([name, flag]: [string, BooleanFlag | StringFlag]): [string, string] {
  if (flag.type === "boolean") {
    return [flag.short ? `-${flag.short}, --${name}` : `--${name}`, flag.help];
  }
  const value = flag.bare === undefined ? flag.value : `[${flag.value}]`;
  return [
    `--${name} ${value}`,
    withFacts(flag.help, [
      choicesText(flag.choices),
      flag.default === undefined ? "" : `default ${flag.default}`,
      flag.multiple ? "repeatable" : "",
      flag.env === undefined ? "" : `env ${flag.env}`,
    ]),
  ];
}

function exitRows({ flags, exitCodes = {} }: Declaration): [string, string][] {
  const failed = "Invalid input";
  const bad =
    "server" in flags
      ? `${failed}, or the service cannot be reached or refuses the request`
      : failed;
  return Object.entries({ 0: "Success", 2: bad, ...exitCodes });
}

/** Help as text, wrapped at 100 columns, or at the terminal's width if that is less. */
export function helpText(help: CommandHelp, columns = MAX_COLUMNS): string {
  const width = widthOf(columns);
  return [
    help.usage.join("\n"),
    ...help.description.map((text) => wrapped(text, width).join("\n")),
    ...help.sections.map(({ title, rows }) => `${title}\n${rowsText(rows, columns)}`),
    ...help.notes.map((text) => wrapped(text, width).join("\n")),
    ...(help.examples.length > 0
      ? [["Examples", ...help.examples.map((line) => `  ${line}`)].join("\n")]
      : []),
  ].join("\n\n");
}

const widthOf = (columns: number): number => Math.max(MIN_COLUMNS, Math.min(MAX_COLUMNS, columns));

/** Text in lines of at most `width` columns, broken at spaces. */
const wrapped = (text: string, width: number): string[] => wrapText(text, width, "");

/** Terms and explanations in two aligned columns; the first has at least `least` characters. */
export function rowsText(
  rows: readonly (readonly [string, string])[],
  columns = MAX_COLUMNS,
  least = 0,
): string {
  const width = widthOf(columns);
  const longest = Math.max(least, ...rows.map(([name]) => name.length));
  const term = Math.min(MAX_TERM, longest);
  const indent = " ".repeat(term + 4);
  return rows
    .flatMap(([name, text]) => {
      const [first = "", ...rest] = wrapped(text, width - indent.length);
      const head =
        name.length > term ? [`  ${name}`, indent + first] : [`  ${name.padEnd(term)}  ${first}`];
      return [...head, ...rest.map((line) => indent + line)];
    })
    .join("\n");
}
