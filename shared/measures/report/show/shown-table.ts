import type { ReportBlock, TableBlock } from "../../../contracts/report.ts";
import { type Column, note, tableOf } from "../charts/blocks.ts";
import { shortText } from "./shown-text.ts";

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
