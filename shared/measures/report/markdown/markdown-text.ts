import type { AdviceBlock } from "../../../contracts/report.ts";

/** Characters that Markdown or HTML would read as markup; a dot or sign only at the start of a line. */
const markup = /[\\`*_{}[\]<>|~#$]/g;
const lineStart = /^(\s*\d*)([-+=.)])(?=\s|$)/;
/** Text that would be read as an address and become a link. */
const address = /(https?|ftp):\/\/|www\./gi;

/**
 * Escapes text so that Markdown (CommonMark, GitHub's tables) shows it unchanged on one line: no markup, links or
 * HTML.
 * @example markdownText("a*b*") // "a\\*b\\*"
 */
export function markdownText(text: string): string {
  return text
    .replace(/\s*[\r\n\u2028\u2029]+\s*/g, " ")
    .replace(/&/g, "&amp;")
    .replace(markup, "\\$&")
    .replace(address, (start) => start.replace(/[:.]/, (sign) => `${sign}\u200b`))
    .replace(lineStart, (_, before, sign) => `${before}\\${sign}`);
}

/**
 * Unformatted text in its own block, with a fence that does not occur in it.
 * @example fencedText("x") // "```\nx\n```"
 */
export function fencedText(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** Names of the things that advice recommends to change. */
export const changeWords: Readonly<Record<AdviceBlock["items"][number]["change"], string>> = {
  prompt: "Prompt",
  mode: "Output mode",
  parameters: "Parameters",
  model: "Model",
  data: "Data",
  judges: "Judges",
};

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
