import {
  type BooleanFlag,
  type Command,
  helpFlag,
  type Positional,
  type StringFlag,
} from "./command.ts";

export const shells = ["bash", "zsh", "fish"] as const;

/** Script that completes `assay` in a shell, from the declarations of its commands. */
export function completionScript(
  shell: (typeof shells)[number],
  commands: readonly Command[],
): string {
  const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };
  return scripts[shell](commands);
}

function bashScript(commands: readonly Command[]): string {
  const cases = commands.flatMap((command) => {
    const flags = flagsOf(command);
    const values = flags.flatMap(([name, flag]) =>
      flag.type === "string"
        ? [`    "${command.name} --${name}") ${bashValue(flag.value, flag.choices)} ;;`]
        : [],
    );
    const names = flags.map(([name]) => `--${name}`).join(" ");
    return [
      ...values,
      `    "${command.name} "*) [[ $cur == -* ]] && words="${names}" || ${bashArguments(command)} ;;`,
    ];
  });
  const groups = groupsOf(commands);
  const groupCases = groups.map(
    ([group, its]) => `    ${group}) subcommands="${its.map(lastWord).join(" ")}" ;;`,
  );
  return `# bash completion of assay; made by assay completion bash
_assay() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  local first=1 words="" subcommands="" files=""
  [[ \${COMP_WORDS[1]} == help ]] && first=2
  COMPREPLY=()
  if ((COMP_CWORD <= first)); then
    COMPREPLY=($(compgen -W "${firstWords(commands).join(" ")}" -- "$cur"))
    return
  fi
  local name="\${COMP_WORDS[first]}"
  case "$name" in
${groupCases.join("\n")}
  esac
  if [[ -n $subcommands ]]; then
    if ((COMP_CWORD == first + 1)); then
      COMPREPLY=($(compgen -W "$subcommands" -- "$cur"))
      return
    fi
    name="$name \${COMP_WORDS[first + 1]}"
  fi
  ((first == 2)) && return
  case "$name $prev" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  if [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    local line
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur")
  fi
}
complete -F _assay assay
`;
}

/** Flags with their dashes, including help. */
const flagsOf = ({ flags }: Command): [string, BooleanFlag | StringFlag][] =>
  Object.entries<BooleanFlag | StringFlag>({ ...flags, help: helpFlag });

function bashValue(placeholder: string, choices: readonly string[] | undefined): string {
  if (choices !== undefined) return `words="${choices.join(" ")}"`;
  return isPath(placeholder) ? "files=1" : ":";
}

/** Placeholders of values that are completed with file names. */
const isPath = (placeholder: string): boolean =>
  /^(FILE|DIR|file|source|result)$/.test(placeholder);

function bashArguments({ positionals = [] }: Command): string {
  const choices = positionals.flatMap((one) => one.choices ?? []);
  const files = positionals.some(({ name }) => isPath(name)) ? "; files=1" : "";
  return `{ words="${choices.join(" ")}"${files}; }`;
}

/** Groups of commands by their first word. */
const groupsOf = (commands: readonly Command[]): [string, Command[]][] =>
  firstWords(commands).flatMap((word) => {
    const group = commands.filter(({ name }) => name.startsWith(`${word} `));
    return group.length === 0 ? [] : [[word, group]];
  });

const firstWords = (commands: readonly Command[]): string[] => [
  ...new Set([...commands.map(({ name }) => name.split(" ")[0]!), "help"]),
];

const lastWord = ({ name }: Command): string => name.split(" ").at(-1)!;

function zshScript(commands: readonly Command[]): string {
  const described = (text: string) => quoted(text.replaceAll(":", "\\:"));
  const top = firstWords(commands).map((word) => {
    const summary = commands.find(({ name }) => name === word)?.summary ?? `commands of ${word}`;
    return `    ${described(word)}:${quoted(summary)}`;
  });
  const cases = commands.map(
    (command) =>
      `    ${quoted(command.name)}) _arguments ${[
        ...flagsOf(command).map(zshFlag),
        ...(command.positionals ?? []).map(zshArgument),
      ].join(" ")} ;;`,
  );
  const groupCases = groupsOf(commands).map(
    ([group, its]) =>
      `    ${group}) subcommands=(${its.map((one) => `${lastWord(one)}:${quoted(one.summary)}`).join(" ")}) ;;`,
  );
  return `#compdef assay
# zsh completion of assay; made by assay completion zsh
_assay() {
  local -a top subcommands
  top=(
${top.join("\n")}
  )
  [[ \${words[2]} == help ]] && { shift words; ((CURRENT--)); local is_help=1; }
  if ((CURRENT <= 2)); then
    _describe command top
    return
  fi
  local name="\${words[2]}"
  case "$name" in
${groupCases.join("\n")}
  esac
  if ((\${#subcommands})); then
    if ((CURRENT == 3)); then
      _describe command subcommands
      return
    fi
    name="$name \${words[3]}"
    shift words
    ((CURRENT--))
  fi
  [[ -n $is_help ]] && return
  shift words
  ((CURRENT--))
  case "$name" in
${cases.join("\n")}
  esac
}
compdef _assay assay
`;
}

/** A word of a shell, quoted. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function zshFlag([name, flag]: [string, BooleanFlag | StringFlag]): string {
  if (flag.type === "boolean") return quoted(`--${name}[${zshHelp(flag.help)}]`);
  const repeated = flag.multiple ? "*" : "";
  const optional = flag.bare === undefined ? ":" : "::";
  return quoted(
    `${repeated}--${name}[${zshHelp(flag.help)}]${optional}${zshHelp(flag.value)}:${zshValue(flag.value, flag.choices)}`,
  );
}

const zshHelp = (text: string): string => text.replaceAll(/[[\]:]/g, "\\$&");

function zshValue(placeholder: string, choices: readonly string[] | undefined): string {
  if (choices !== undefined) return `(${choices.join(" ")})`;
  return isPath(placeholder) ? "_files" : " ";
}

const zshArgument = ({ name, optional, many, choices }: Positional): string =>
  quoted(`${many ? "*:" : optional ? "::" : ":"}${name}:${zshValue(name, choices)}`);

function fishScript(commands: readonly Command[]): string {
  const groups = groupsOf(commands);
  const at = (words: string) => `-n '__assay_at ${words}'`;
  const top = firstWords(commands).map((word) => {
    const summary = commands.find(({ name }) => name === word)?.summary ?? `commands of ${word}`;
    return `complete -c assay -n __assay_at_top -f -a ${word} -d ${fishQuoted(summary)}`;
  });
  const sub = groups.flatMap(([group, its]) =>
    its.map(
      (one) =>
        `complete -c assay -n '__assay_at_group ${group}' -f -a ${lastWord(one)} -d ${fishQuoted(one.summary)}`,
    ),
  );
  const rest = commands.flatMap((command) => {
    const positionals = command.positionals ?? [];
    const choices = positionals.flatMap((one) => one.choices ?? []);
    const files = positionals.some(({ name }) => isPath(name)) ? "-F" : "-f";
    return [
      `complete -c assay ${at(command.name)} ${files}${choices.length > 0 ? ` -a ${fishQuoted(choices.join(" "))}` : ""}`,
      ...flagsOf(command).map(
        ([name, flag]) =>
          `complete -c assay ${at(command.name)} -l ${name} -d ${fishQuoted(flag.help)}${fishValue(flag)}`,
      ),
    ];
  });
  return `# fish completion of assay; made by assay completion fish
function __assay_words
  set -l words (commandline -opc)
  test "$words[2]" = help; and set -e words[2]
  string join ' ' -- $words[2..]
end
function __assay_at_top
  test -z (__assay_words | string collect --allow-empty)
end
function __assay_at_group
  test (__assay_words | string collect --allow-empty) = "$argv"
end
function __assay_at
  string match -q -- "$argv *" (__assay_words | string collect --allow-empty)" "
end
complete -c assay -f
${[...top, ...sub, ...rest].join("\n")}
`;
}

const fishQuoted = (text: string): string => `'${text.replaceAll(/['\\]/g, "\\$&")}'`;

function fishValue(flag: BooleanFlag | StringFlag): string {
  if (flag.type === "boolean") return "";
  if (flag.choices !== undefined) return ` -x -a ${fishQuoted(flag.choices.join(" "))}`;
  return isPath(flag.value) ? " -r -F" : flag.bare === undefined ? " -x" : " -f";
}
