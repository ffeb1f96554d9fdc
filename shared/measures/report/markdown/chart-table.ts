import type { Metric } from "../../../contracts/metric.ts";
import { isPrinted, type ReportBlock, type TableBlock } from "../../../contracts/report.ts";
import { figureText, intervalText, tickText } from "../figures/figure-text.ts";
import type { TextTable } from "./markdown-text.ts";

type Format = Metric["format"];
type Kind = ReportBlock["kind"];
type Of<K extends Kind> = Extract<ReportBlock, { kind: K }>;

/** Kinds of blocks with rows of figures. */
export type ChartKind = Exclude<Kind, "note" | "text" | "advice">;

const text = (label: string) => ({ label, isNumber: false });
const number = (label: string) => ({ label, isNumber: true });
const figure = (value: number | null | undefined, format: Format): string =>
  figureText(value ?? null, format) ?? "–";
const ends = (interval: readonly [number, number] | null, format: Format): string =>
  intervalText(interval, format) ?? "–";
const counted = (count: number): string => figureText(Math.round(count), "count");
const share = (of: number, over: number): string =>
  over === 0 ? "–" : figureText(of / over, "percent");

/** Maximum rows of dots; for all of them there are exports. */
const mostDots = 40;

/** Kinds whose rows pages collapse behind a drawing. */
export type DrawnKind = Exclude<ChartKind, "gauge" | "stack" | "table" | "fields">;

type Tables<K extends Kind> = { [Its in K]: (block: Of<Its>) => TextTable };

/** The rows of each kind of drawing. */
const drawings: Tables<DrawnKind> = {
  bars: ({ bars, format }) => ({
    columns: [text("Group"), number("Value"), number("95% interval"), number("n")],
    rows: bars.map(({ label, value, interval, n }) => [
      label,
      figure(value, format),
      ends(interval, format),
      counted(n),
    ]),
  }),
  line: ({ x, y, points }) => ({
    columns: [number(x.label), number(y.label)],
    rows: points.map((point) => [
      point.text ?? figure(point.x, x.format),
      figure(point.y, y.format),
    ]),
  }),
  radar: ({ axes }) => ({
    columns: [text("Axis"), number("Value"), number("95% interval")],
    rows: axes.map(({ label, value, interval }) => [
      label,
      figure(value, "score"),
      ends(interval, "score"),
    ]),
  }),
  scatter: ({ x, y, points }) => ({
    columns: [text("Dot"), number(x.label), number(y.label)],
    rows: points
      .slice(0, mostDots)
      .map((point) => [point.label, figure(point.x, x.format), figure(point.y, y.format)]),
  }),
  histogram: ({ x, unit, bins }) => ({
    columns: [number(`${x.label} from`), number("to below"), number(unit)],
    rows: bins
      .filter(({ count }) => count > 0)
      .map(({ from, to, count }) => [
        tickText(from, x.format),
        tickText(to, x.format),
        counted(count),
      ]),
  }),
  matrix: ({ rows, columns, cells, format }) => ({
    columns: [text(rows.label), ...columns.names.map(number)],
    rows: rows.names.map((name, i) => [
      name,
      ...columns.names.map((_, j) => figure(cells[i]?.[j], format)),
    ]),
  }),
  boxes: ({ y, groups }) => ({
    columns: [
      text("Group"),
      ...["Least", "Lower quartile", "Median", "Upper quartile", "Most", "n"].map(number),
    ],
    rows: groups.map(({ label, n, min, q1, median, q3, max }) => [
      label,
      ...[min, q1, median, q3, max].map((value) => figure(value, y.format)),
      counted(n),
    ]),
  }),
  tree: ({ groups }) => {
    const parts = groups.flatMap((group) => group.parts.map((part) => ({ ...part, group })));
    const total = parts.reduce((sum, { count }) => sum + count, 0);
    return {
      columns: [text("Part"), text("Group"), number("Count"), number("Share")],
      rows: parts
        .filter(({ count }) => count > 0)
        .map(({ label, group, count }) => [
          label,
          group.label,
          counted(count),
          share(count, total),
        ]),
    };
  },
  series: ({ x, y, series }) => ({
    columns: [number(x.label), ...series.map(({ label }) => number(label))],
    rows: (series[0]?.points ?? []).map((point, i) => [
      tickText(point.x, x.format),
      ...series.map(({ points }) => figure(points[i]?.y, y.format)),
    ]),
  }),
};

/** The rows of kinds that pages show as tables. */
const others: Tables<Exclude<ChartKind, DrawnKind>> = {
  gauge: ({ value, interval, format, zones }) => {
    const zone = zones.findLast(({ from }) => value !== null && value >= from);
    return {
      columns: [number("Value"), number("95% interval"), text("Zone")],
      rows: [[figure(value, format), ends(interval, format), zone?.label ?? "–"]],
    };
  },
  stack: ({ parts }) => {
    const total = parts.reduce((sum, { count }) => sum + count, 0);
    return {
      columns: [text("Part"), number("Count"), number("Share"), text("What it is")],
      rows: parts.map(({ label, count, definition }) => [
        label,
        counted(count),
        share(count, total),
        definition,
      ]),
    };
  },
  table: ({ columns, rows }) => ({
    columns: columns.map(({ label, format }) => ({
      label,
      isNumber: format !== "text" && format !== "grade",
    })),
    rows: rows.map((row) => columns.map((column) => cellText(row, column))),
  }),
  fields: ({ rows }) => ({
    columns: ["Field", "Expected", "Answer", "Verdict", "Note"].map(text),
    rows: rows.map(({ path, expected, answer, verdict, note }) => [
      path,
      expected ?? "–",
      answer ?? "–",
      verdict,
      note ?? "",
    ]),
  }),
};

/**
 * The table of a drawing, with figures printed as on pages.
 * @example drawingTable(block).columns[0].label // "Group"
 */
export const drawingTable = (block: Of<DrawnKind>): TextTable =>
  (drawings[block.kind] as (block: ReportBlock) => TextTable)(block);

/**
 * The table of any block with rows.
 * @example chartTable(block).columns[0].label // "Value"
 */
export const chartTable = (block: Of<ChartKind>): TextTable => {
  const tables: Tables<ChartKind> = { ...drawings, ...others };
  return (tables[block.kind] as (block: ReportBlock) => TextTable)(block);
};

function cellText(row: TableBlock["rows"][number], { id, format }: TableBlock["columns"][number]) {
  const value = row[id] ?? null;
  if (value === null) return "–";
  return typeof value === "string" || isPrinted(format) ? `${value}` : figureText(value, format);
}
