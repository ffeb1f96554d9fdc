import type { Json } from "../../../contracts/json.ts";
import type { ReportBlock, TableBlock, TextBlock } from "../../../contracts/report.ts";
import { isTooDeep, maxDepth } from "../../json-output/nesting.ts";
import { countCodePoints, isPair } from "../../text/code-points.ts";
import { type Column, note, tableOf } from "../charts/blocks.ts";

/** Enough to see why an answer got its score; a page shows several of them. */
const mostShown = 1_500;

export type Mark = TextBlock["marks"][number];

/** How to show a text. */
export interface TextShown {
  marks?: readonly Mark[];
  /** UTF-16 units; default 1,500. */
  most?: number;
  isCode?: boolean;
}

/**
 * A text for readers: cut at `most` UTF-16 units without splitting a surrogate pair; `left` is the number of omitted
 * characters. Marks are sorted; of overlapping ones the first given is kept, and those after the cut are dropped.
 * O(marks²) in the kept marks.
 * @example shownText("Answer", "Hello", { most: 4 }) // { text: "Hell", left: 1, marks: [], … }
 */
export function shownText(
  title: string,
  text: string,
  { marks = [], most = mostShown, isCode = false }: TextShown = {},
): TextBlock {
  const end = cutPlace(text, most);
  return {
    kind: "text",
    title,
    text: text.slice(0, end),
    marks: marksApart(marks, end),
    left: countCodePoints(text.slice(end)),
    isCode,
  };
}

/**
 * A text for a cell or a sentence: at most `most` UTF-16 units, and “…” if it was cut.
 * @example shortText("Hello", 4) // "Hell…"
 */
export const shortText = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, cutPlace(text, most))}…`;

/**
 * The index at which to cut a text to `most` UTF-16 units: there, or before a surrogate pair that this would split.
 * @example cutPlace("a😀", 2) // 1
 */
export function cutPlace(text: string, most: number): number {
  if (text.length <= most) return text.length;
  return most > 0 && isPair(text, most - 1) ? most - 1 : most;
}

/**
 * The start of an endpoint's message, at most 300 UTF-16 units, because it may be a whole page.
 * @example messageStart("no such model") // "no such model"
 */
export const messageStart = (message: string): string => message.slice(0, cutPlace(message, 300));

function marksApart(marks: readonly Mark[], end: number): Mark[] {
  const kept: Mark[] = [];
  for (const mark of marks) {
    const its = { ...mark, from: Math.max(0, mark.from), to: Math.min(end, mark.to) };
    const isFree = kept.every(({ from, to }) => its.to <= from || its.from >= to);
    if (its.from < its.to && isFree) kept.push(its);
  }
  return kept.sort((a, b) => a.from - b.from);
}

/**
 * A JSON value for readers: indented, cut like `shownText`. If it is nested too deep, a note replaces it. Linear.
 * @example shownJson("Expected", { a: 1 }).text // '{\n  "a": 1\n}'
 */
export function shownJson(
  title: string,
  value: Json,
  more: Omit<TextShown, "isCode"> = {},
): TextBlock {
  const text = isTooDeep(value)
    ? `(nested deeper than ${maxDepth} levels)`
    : JSON.stringify(value, null, 2);
  return shownText(title, text, { ...more, isCode: true });
}

/** Maximum rows for one answer, on a page that shows several. */
const mostRows = 12;
const mostCell = 140;

/**
 * A table about a single answer: the first 12 rows, texts cut at 140 UTF-16 units, and a sentence about omitted rows.
 * Empty without rows.
 * @example shownTable("Claims", [["claim", "Claim", "text"]], []) // []
 */
export function shownTable(
  title: string,
  columns: readonly Column[],
  rows: TableBlock["rows"],
): ReportBlock[] {
  if (rows.length === 0) return [];
  const shown = rows
    .slice(0, mostRows)
    .map((row) => Object.fromEntries(Object.entries(row).map(([id, cell]) => [id, cutCell(cell)])));
  const left = rows.length - shown.length;
  const text = `${left} more of ${rows.length}; the detail of the sample in the API has all that is kept.`;
  return [...tableOf(title, columns, shown), ...(left === 0 ? [] : [note(`${title}: more`, text)])];
}

const cutCell = (cell: string | number | null): string | number | null =>
  typeof cell === "string" ? shortText(cell, mostCell) : cell;
