import { markdownText } from "./markdown-text.ts";

/** A table of texts; numbers are aligned to the right. */
export interface TextTable {
  columns: readonly { label: string; isNumber: boolean }[];
  rows: readonly (readonly string[])[];
}

/**
 * A table as GitHub Flavored Markdown; cells are plain text.
 * @example markdownTable({ columns: [{ label: "n", isNumber: true }], rows: [["5"]] }) // "| n |\n| --: |\n| 5 |"
 */
export function markdownTable({ columns, rows }: TextTable): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    line(columns.map(({ label }) => markdownText(label))),
    line(columns.map(({ isNumber }) => (isNumber ? "--:" : ":--"))),
    ...rows.map((cells) => line(cells.map(markdownText))),
  ].join("\n");
}
