/** What `assay help <command>` says, as data: the terminal and the site lay it out. */
export interface CommandHelp {
  /** One word, or two for a command of a group. */
  name: string;
  /** One line. */
  summary: string;
  /** How the command is called, one line for each form. */
  usage: string[];
  /** Paragraphs. */
  description: string[];
  /** Arguments, options, environment variables, exit codes. */
  sections: HelpSection[];
  /** Paragraphs. */
  notes: string[];
  /** Lines to try. */
  examples: string[];
}

/** Terms with their explanations, under a title. */
export interface HelpSection {
  title: string;
  rows: [term: string, text: string][];
}
