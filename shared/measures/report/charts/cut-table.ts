import type { TableBlock } from "../../../contracts/report.ts";
import { tableOf } from "./blocks.ts";

/** What a reader looks through, and what keeps a page small. */
const mostRows = 15;

/**
 * A table of the first rows, whose title says how many there are where that is not all.
 * @example cutTable("Functions", [["name", "Function", "text"]], rows, 2).title // "Functions, 2 of 71"
 */
export function cutTable(
  title: string,
  columns: Parameters<typeof tableOf>[1],
  rows: TableBlock["rows"],
  most: number = mostRows,
): TableBlock {
  const isCut = rows.length > most;
  const [table] = tableOf(
    isCut ? `${title}, ${most} of ${rows.length}` : title,
    ...([columns, rows.slice(0, most)] as const),
  );
  return table;
}
