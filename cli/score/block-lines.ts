import type { AdviceBlock, GaugeBlock, ReportBlock, TableBlock } from "#shared/contracts/report.ts";
import { printable } from "../printable.ts";
import { formatValue } from "./format-value.ts";
import { textTable } from "./text-table.ts";

/** Cells longer than this, such as paths, are cut. */
const MAX_CELL = 60;

/** The title of a block and its lines; nothing of charts of many values, which are for pages. */
export function blockLines(block: ReportBlock): string[] {
  switch (block.kind) {
    case "gauge":
      return [`${block.title} ${zoneText(block)}`];
    case "note":
      return [block.title, printable(block.text)];
    case "table":
      return block.rows.length === 0 ? [] : [block.title, ...tableLines(block)];
    case "stack":
      return [block.title, ...block.parts.map(({ label, count }) => `${label} ${count}`)];
    case "line":
      return [
        block.title,
        ...block.marks.map(
          ({ label, x, y }) =>
            `${label}: ${formatValue(y, block.y.format)} at ${formatValue(x, block.x.format)}`,
        ),
      ];
    case "bars":
      return [
        block.title,
        ...block.bars.map(({ label, value }) => `${label} ${formatValue(value, block.format)}`),
      ];
    case "radar":
      return [
        block.title,
        ...block.axes.map(({ label, value }) => `${label} ${formatValue(value, "score")}`),
      ];
    case "advice":
      return [block.title, ...block.items.flatMap(adviceLines)];
    default:
      return [];
  }
}

function zoneText({ value, zones, format }: GaugeBlock): string {
  const zone = zones.findLast(({ from }) => value !== null && value >= from);
  return `${formatValue(value, format)}${zone === undefined ? "" : `: ${zone.label}`}`;
}

function adviceLines({ finding, change, action }: AdviceBlock["items"][number]): string[] {
  return [`- ${printable(finding)}`, `  ${change}: ${printable(action)}`];
}

function tableLines({ columns, rows }: TableBlock): string[] {
  const cells = rows.map((row) =>
    columns.map(({ id, format }) => cellText(row[id] ?? null, format)),
  );
  const head = columns.map(({ label }) => label.toLowerCase());
  return textTable([head, ...cells], (k) => columns[k]?.format === "text");
}

function cellText(
  value: string | number | null,
  format: TableBlock["columns"][number]["format"],
): string {
  const text =
    typeof value === "number" && format !== "text" && format !== "figure"
      ? formatValue(value, format)
      : `${value ?? "–"}`;
  const shown = printable(text);
  return shown.length > MAX_CELL ? `${shown.slice(0, MAX_CELL - 1)}…` : shown;
}
