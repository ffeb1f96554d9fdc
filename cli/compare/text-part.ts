/** A part of what is printed: a title, tables with a head each, and what explains them. */
export interface TextPart {
  title: string;
  tables: string[][];
  notes: string[];
}
