/** The content of `assay help <command>`; the terminal and the site format it. */
export interface CommandHelp {
  /** One word, or two for a subcommand. */
  name: string;
  /** One line. */
  summary: string;
  /** Usage, one line for each form. */
  usage: string[];
  /** Paragraphs. */
  description: string[];
  /** Arguments, options, environment variables, exit codes. */
  sections: HelpSection[];
  /** Paragraphs. */
  notes: string[];
  /** Example command lines. */
  examples: string[];
}

/** A titled list of terms with explanations. */
export interface HelpSection {
  title: string;
  rows: [term: string, text: string][];
}
