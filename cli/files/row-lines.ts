import type { RowNote } from "#shared/contracts/datasets/dataset.ts";
import { type LinesOf, placeIn } from "../errors.ts";
import type { ScoredFiles } from "../score/score-files.ts";
import { formatCount, printable } from "../terminal/text.ts";
import type { RowNotes } from "./row-notes.ts";

/** Maximum malformed samples listed one by one; further ones are counted. */
const MAX_LISTED = 20;

/** Maximum warnings listed one by one; often every row of a file has the same warning. */
const MAX_WARNINGS = 5;

/** Maximum further lines that are named for the same reason. */
const MAX_SAME = 5;

/** Left-out samples by reason, with line and id of the first sample. */
export const malformedLines = (
  file: string,
  { malformed }: Pick<ScoredFiles, "malformed">,
): string[] => firstLines(file, malformed, MAX_LISTED, "; left out", " malformed, left out");

/** Warnings on a file's rows by reason, with line and id of the first row. */
export const warningLines = (file: string, warnings: RowNotes): string[] =>
  firstLines(file, warnings, MAX_WARNINGS, WARNING, " warnings; --json lists them");

export const WARNING = " (warning)";

function firstLines(
  file: string,
  { count, kept, hasRows }: RowNotes,
  most: number,
  end: string,
  rest: string,
) {
  const all = joinedNotes({ name: file, hasRows }, kept, end);
  const shown = all.slice(0, most);
  const left = count - shown.reduce((sum, { rows }) => sum + rows, 0);
  const lines = shown.map(({ text }) => text);
  return left <= 0 ? lines : [...lines, `${file}: ${formatCount(left)} more${rest}`];
}

/**
 * Joins notes with the same reason, in the order of their first rows; `rows`: number of joined notes.
 * @example joinedNotes({ name: "a.jsonl" }, [{ line: 2, id: null, reason: "no text" }], "")[0]?.text // "a.jsonl:2: no text"
 */
export function joinedNotes(
  file: LinesOf,
  notes: readonly RowNote[],
  end: string,
): { text: string; line: number; rows: number }[] {
  return [...Map.groupBy(notes, ({ reason }) => reason).values()].map((all) => {
    const [first, ...others] = all;
    const named = others.slice(0, MAX_SAME).map(({ line }) => line);
    const left = others.length - named.length;
    const more = left > 0 ? ` and ${formatCount(left)} more` : "";
    const same =
      named.length === 0
        ? ""
        : `; the same in ${file.hasRows ? "row" : "line"}${others.length > 1 ? "s" : ""} ${named.join(", ")}${more}`;
    return { text: `${noteLine(file, first!)}${end}${same}`, line: first!.line, rows: all.length };
  });
}

/**
 * A note on a row.
 * @example noteLine({ name: "a.jsonl" }, { line: 2, id: "x", reason: "text is missing" }) // 'a.jsonl:2: sample "x": text is missing'
 */
export function noteLine(file: LinesOf, { line, id, reason }: RowNote): string {
  const name = id === null ? "" : `sample ${JSON.stringify(id)}: `;
  return printable(`${placeIn(file, line)}: ${name}${reason}`);
}
