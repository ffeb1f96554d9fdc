/** What `assay help` knows of a command. */
export interface CommandHelp {
  /** One word, or two where it is one of a group. */
  name: string;
  /** One line. */
  summary: string;
  /** What `assay <name> --help` prints. */
  help: string;
}

/** The text of a help, by what is read apart. */
export interface CommandParts {
  /** The lines that show how it is called. */
  usage: string;
  /** What it does and what it takes, as it is printed. */
  details: string;
  /** Lines to try, without their indentation; empty where there are none. */
  examples: string;
}

/**
 * Parts of a command's help: usage up to the first empty line, examples from the line "Examples" on.
 *
 * @example commandParts({ name: "x", summary: "", help: "assay x\n\nDoes x.\n\nExamples\n  assay x" }).examples // "assay x"
 */
export function commandParts({ help }: CommandHelp): CommandParts {
  const [usage = "", ...rest] = help.split("\n\n");
  const [details = "", examples = ""] = rest.join("\n\n").split(/(?:^|\n)Examples\n/);
  return {
    usage: usage.trim(),
    details: details.trimEnd(),
    examples: examples.replace(/^ {2}/gm, "").trim(),
  };
}
