import type { Estimate, Metric } from "../../../contracts/metric.ts";
import type {
  BarsBlock,
  ColumnFormat,
  NoteBlock,
  ReportBlock,
  TableBlock,
} from "../../../contracts/report.ts";
import { stepsLegend, type ToneSteps, toneOf } from "./tone-steps.ts";

/** Rows of a long table: what a reader looks through, and what keeps a page small. */
const mostTableRows = 15;

type Column = readonly [id: string, label: string, format: ColumnFormat];

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
    kind: "table",
    title,
    columns: columns.map(([id, label, format]) => ({ id, label, format })),
    rows: rows.slice(0, most),
  };
  if (rows.length <= most) return [table];
  const text = `The first ${most} of ${rows.length}; the run's breakdown in the API has all of them.`;
  return [table, { kind: "note", title: `${title}: more`, tone: "neutral", text }];
}

/**
 * Metrics of one format side by side, under their labels in the catalogue.
 * @example metricBars("F1", ["f1"], metrics, { catalogue, steps })
 */
export function metricBars(
  title: string,
  ids: readonly string[],
  metrics: Readonly<Record<string, Estimate>>,
  { catalogue, steps }: { catalogue: readonly Metric[]; steps: ToneSteps },
): BarsBlock {
  const format = catalogue.find(({ id }) => id === ids[0])?.format ?? "score";
  return {
    kind: "bars",
    title,
    format,
    legend: stepsLegend(steps, format),
    bars: ids.map((id) => {
      const { value = null, interval = null, n = 0 } = metrics[id] ?? {};
      const label = catalogue.find((metric) => metric.id === id)?.label ?? id;
      return { label, value, interval, n, tone: toneOf(value, steps) };
    }),
  };
}

/**
 * The blocks, marked as worth showing where there is room for little.
 * @example asBrief(tableOf("Paths", columns, rows))
 */
export function asBrief<B extends ReportBlock>(blocks: readonly B[]): B[] {
  return blocks.map((block) => ({ ...block, brief: true }));
}

/**
 * The blocks, marked as of second rank: closed until a reader opens them.
 * @example asFolded(tableOf("Paths", columns, rows))
 */
export function asFolded<B extends ReportBlock>(blocks: readonly B[]): B[] {
  return blocks.map((block) => ({ ...block, folded: true }));
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
    name,
    count,
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
 * Blocks with those that are folded at the end, else in their order: what is of second rank parts no charts that
 * belong together.
 * @example foldedLast([bars, ...asFolded([table]), boxes]) // bars, boxes, table
 */
export const foldedLast = (blocks: readonly ReportBlock[]): ReportBlock[] => [
  ...blocks.filter(({ folded }) => folded === undefined),
  ...blocks.filter(({ folded }) => folded !== undefined),
];
