/** Cells by row beneath a head. */
export interface PartTable {
  head: readonly string[];
  rows: readonly (readonly string[])[];
  /** Whether a column holds words; the others hold numbers. */
  isText: (column: number) => boolean;
  /** Whether a terminal may show it in several, one below the other. */
  mayBreak?: boolean;
}

/** A part of what is shown: a title, a table, and what explains it. */
export interface TextPart {
  title: string;
  table: PartTable;
  notes: string[];
}

/** What is shown of a whole: a title, what it is of, and its parts. */
export interface PartedText {
  title: string;
  about: string[];
  parts: TextPart[];
}
