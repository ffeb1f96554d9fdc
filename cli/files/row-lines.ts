import type { RowNote } from "#shared/contracts/datasets/dataset.ts";
import type { ScoredFiles } from "../score/score-files.ts";
import { formatCount } from "../terminal/format-value.ts";
import { printable } from "../terminal/printable.ts";
import type { RowNotes } from "./row-notes.ts";

/** Maximum malformed samples listed one by one; further ones are counted. */
const MAX_LISTED = 20;

/** Maximum warnings listed one by one: often every row of a file has the same one. */
const MAX_WARNINGS = 5;

/** The samples that were left out, a line each, with line, id and reason. */
export const malformedLines = (
  file: string,
  { malformed }: Pick<ScoredFiles, "malformed">,
): string[] => firstLines(file, malformed, MAX_LISTED, "; left out", " malformed, left out");

/** Warnings on a file's rows, a line each, with line and id. */
export const warningLines = (file: string, warnings: RowNotes): string[] =>
  firstLines(file, warnings, MAX_WARNINGS, WARNING, " warnings; --json lists them");

export const WARNING = " (warning)";

function firstLines(
  file: string,
  { count, kept }: RowNotes,
  most: number,
  end: string,
  rest: string,
) {
  const lines = kept.slice(0, most).map((note) => `${noteLine(file, note)}${end}`);
  return count <= most ? lines : [...lines, `${file}: ${formatCount(count - most)} more${rest}`];
}

/**
 * A note on a row.
 * @example noteLine("a.jsonl", { line: 2, id: "x", reason: "text is missing" }) // 'a.jsonl:2: sample "x": text is missing'
 */
export function noteLine(file: string, { line, id, reason }: RowNote): string {
  const name = id === null ? "" : `sample ${JSON.stringify(id)}: `;
  return printable(`${file}:${line}: ${name}${reason}`);
}
