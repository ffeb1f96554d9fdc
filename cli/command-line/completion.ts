import { allFlags, type Command, command, type Positional } from "./command.ts";

export const shells = ["bash", "zsh", "fish"] as const;

/** Completion script of `assay` for a shell: a table of candidates from the declarations, and code that reads it. */
export function completionScript(
  shell: (typeof shells)[number],
  commands: readonly Command[],
): string {
  const table = rowsOf(commands).map((row) => row.join("\t"));
  const text = `\n${table.join("\n")}\n`;
  const quoted =
    shell === "fish" ? text.replaceAll(/['\\]/g, "\\$&") : text.replaceAll("'", "'\\''");
  const name = `# ${shell} completion of assay; made by assay completion ${shell}`;
  return `${name}\n${scripts[shell](`'${quoted}'`)}`;
}

/** A candidate: the words before it, without values and other flags; the word; its description. */
type Row = readonly [before: string, word: string, text: string];

/** Placeholders for a word: a file name, or any text. */
const FILES = ":files";
const TEXT = ":text";

function rowsOf(commands: readonly Command[]): Row[] {
  const byFirst = Map.groupBy(commands, ({ name }) => name.split(" ")[0]!);
  const words = [...byFirst].flatMap(([word, [first]]): Row[] => {
    const text = first!.name === word ? first!.summary : `commands of ${word}`;
    return ["assay", "assay help"].map((before) => [before, word, text]);
  });
  const help: Row = ["assay", "help", "options and examples of a command"];
  return [...words, help, ...commands.flatMap(rowsOfCommand)];
}

function rowsOfCommand(declared: Command): Row[] {
  const { name, summary, positionals = [] } = declared;
  const command = `assay ${name}`;
  const [group, word] = name.split(" ");
  const groups = word === undefined ? [] : [`assay ${group}`, `assay help ${group}`];
  const all = Object.entries(allFlags(declared));
  return [
    ...groups.map((before): Row => [before, word!, summary]),
    [`assay help ${name}`, TEXT, ""],
    ...positionals.flatMap((one) => valueRows(command, one.name, one)),
    ...all.map(([flag, { help }]): Row => [command, `--${flag}`, help]),
    ...all.flatMap(([flag, declared]) =>
      declared.type === "string" ? valueRows(`${command} --${flag}`, declared.value, declared) : [],
    ),
  ];
}

function valueRows(
  before: string,
  placeholder: string,
  { choices }: Pick<Positional, "choices">,
): Row[] {
  if (choices !== undefined) return choices.map((choice) => [before, choice, ""]);
  return [[before, /^(FILE|DIR|file|source|result)$/.test(placeholder) ? FILES : TEXT, ""]];
}

/** Each script finds the longest beginning of the line that is in the table, and offers the next words. */
const scripts: Record<(typeof shells)[number], (table: string) => string> = {
  // Also works in bash 3, which has no associative arrays.
  bash: (table) => `_assay_table=${table}
_assay() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" at=assay before word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word != -* && $_assay_table == *$'\\n'"$at $word"$'\\t'* ]] && at="$at $word"
  done
  [[ $prev == -* && $_assay_table == *$'\\n'"$at $prev"$'\\t'* ]] && at="$at $prev"
  COMPREPLY=()
  while IFS=$'\\t' read -r before word _; do
    [[ $before == "$at" ]] || continue
    if [[ $word == ${FILES} ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$cur")
    elif [[ $word == "$cur"* && $word != ${TEXT} && ($word != -* || $cur == -*) ]]; then
      COMPREPLY+=("$word")
    fi
  done <<< "$_assay_table"
}
complete -F _assay assay
`,
  zsh: (table) => `_assay_table=${table}
_assay() {
  local prev="\${words[CURRENT-1]}" at=assay before word text
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word != -* && $_assay_table == *$'\\n'"$at $word"$'\\t'* ]] && at="$at $word"
  done
  [[ $prev == -* && $_assay_table == *$'\\n'"$at $prev"$'\\t'* ]] && at="$at $prev"
  while IFS=$'\\t' read -r before word text; do
    [[ $before == "$at" ]] || continue
    if [[ $word == ${FILES} ]]; then
      _files
    elif [[ $word != ${TEXT} && ($word != -* || $PREFIX == -*) ]]; then
      found+=("$word\${text:+:$text}")
    fi
  done <<< "$_assay_table"
  _describe assay found
}
compdef _assay assay
`,
  fish: (table) => `set -g __assay_table (string split \\n -- ${table})
function __assay_candidates
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l at assay
  for word in $words[2..]
    if not string match -q -- '-*' $word; and string match -q -- "$at $word"\\t'*' $__assay_table
      set at "$at $word"
    end
  end
  if string match -q -- '-*' $words[-1]; and string match -q -- "$at $words[-1]"\\t'*' $__assay_table
    set at "$at $words[-1]"
  end
  for row in (string match -- "$at"\\t'*' $__assay_table)
    set -l parts (string split \\t -- $row)
    switch $parts[2]
      case ${FILES}
        __fish_complete_path $current
      case ${TEXT}
      case '-*'
        string match -q -- '-*' $current; and echo $parts[2]\\t$parts[3]
      case '*'
        echo $parts[2]\\t$parts[3]
    end
  end
end
complete -c assay -f -a '(__assay_candidates)'
`,
};

/** `assay completion`: prints a completion script for a shell. `commands`: all commands to complete. */
export const completionCommand = (commands: () => readonly Command[]): Command =>
  command({
    name: "completion",
    summary: "print a completion script for bash, zsh or fish",
    description: [
      "Prints a script that completes commands, flags, their values and file names. It calls no service and does not start assay.",
    ],
    positionals: [{ name: "shell", help: "Shell of the script", choices: shells }],
    flags: {},
    examples: [
      "source <(assay completion bash)   # in ~/.bashrc",
      "source <(assay completion zsh)    # in ~/.zshrc, after compinit",
      "assay completion fish | source    # in ~/.config/fish/config.fish",
    ],
    async run(_, [shell], { stdout }) {
      stdout.write(completionScript(shell, commands()));
    },
  });
