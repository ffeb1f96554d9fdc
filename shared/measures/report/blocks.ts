import type { Estimate } from "../../contracts/metric.ts";
import type { NoteBlock, ReportBlock, TableBlock } from "../../contracts/report.ts";

/** Rows of a long table: what a reader looks through, and what keeps a page small. */
const mostTableRows = 20;

type Column = [id: string, label: string, format: TableBlock["columns"][number]["format"]];

/**
 * A table of the first rows, and a note of how many there are where that is not all.
 * @example tableOf("Paths", [["path", "Path", "text"]], [{ path: "a" }])
 */
export function tableOf(
  title: string,
  columns: readonly Column[],
  rows: TableBlock["rows"],
  most: number = mostTableRows,
): [TableBlock] | [TableBlock, NoteBlock] {
  const table: TableBlock = {
    ...{ kind: "table", title },
    columns: columns.map(([id, label, format]) => ({ id, label, format })),
    rows: rows.slice(0, most),
  };
  if (rows.length <= most) return [table];
  const text = `The first ${most} of ${rows.length}; the run's breakdown in the API has all of them.`;
  return [table, { kind: "note", title: `${title}: more`, tone: "neutral", text }];
}

/**
 * The blocks, marked as worth showing where there is room for little.
 * @example brief(tableOf("Paths", columns, rows))
 */
export function brief<B extends ReportBlock>(blocks: readonly B[]): B[] {
  return blocks.map((block) => ({ ...block, brief: true }));
}

/**
 * Counts by name with their share of `total`, as table rows.
 * @example countRows([["exact", 3]], 4) // [{ name: "exact", count: 3, share: 0.75 }]
 */
export function countRows(
  counts: readonly (readonly [name: string, count: number])[],
  total: number,
): TableBlock["rows"] {
  return counts.map(([name, count]) => ({
    ...{ name, count },
    share: total === 0 ? null : count / total,
  }));
}

/**
 * The value of a metric; null where it was not measured.
 * @example metricValue(metrics, "eqs")
 */
export function metricValue(
  metrics: Readonly<Record<string, Estimate>>,
  id: string,
): number | null {
  return metrics[id]?.value ?? null;
}

/**
 * An interval in a table cell, three decimals.
 * @example intervalText([0.1, 0.25]) // "0.100–0.250"
 */
export function intervalText(interval: readonly [number, number] | null): string | null {
  return interval === null ? null : `${interval[0].toFixed(3)}–${interval[1].toFixed(3)}`;
}
