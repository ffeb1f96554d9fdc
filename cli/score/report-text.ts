import type {
  GaugeBlock,
  ReportBlock,
  ReportSection,
  TableBlock,
} from "#shared/contracts/report.ts";
import { printable } from "../printable.ts";
import { formatValue } from "./format-value.ts";
import { textTable } from "./text-table.ts";

/** Cells longer than this, such as paths, are cut. */
const MAX_CELL = 60;

/** What a suite says in brief of a run, block by block with an empty line before each. */
export function reportText(
  sections: readonly ReportSection[],
  paint: (style: "bold" | "dim", text: string) => string,
): string[] {
  const blocks = sections.flatMap((section) => section.blocks).filter(({ brief }) => brief);
  return blocks.flatMap((block) => {
    const [title = "", ...lines] = linesOf(block);
    return lines.length === 0 && block.kind === "table"
      ? []
      : [
          "",
          paint("bold", title),
          ...lines.map((line, k) => (k > 0 || block.kind !== "table" ? line : paint("dim", line))),
        ];
  });
}

function linesOf(block: ReportBlock): string[] {
  switch (block.kind) {
    case "gauge":
      return [`${block.title} ${zoneText(block)}`];
    case "note":
      return [block.title, printable(block.text)];
    case "table":
      return block.rows.length === 0 ? [block.title] : [block.title, ...tableLines(block)];
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
  }
}

function zoneText({ value, zones, format }: GaugeBlock): string {
  const zone = zones.findLast(({ from }) => value !== null && value >= from);
  return `${formatValue(value, format)}${zone === undefined ? "" : `: ${zone.label}`}`;
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
    typeof value === "number" && format !== "text" ? formatValue(value, format) : `${value ?? "–"}`;
  const shown = printable(text);
  return shown.length > MAX_CELL ? `${shown.slice(0, MAX_CELL - 1)}…` : shown;
}
