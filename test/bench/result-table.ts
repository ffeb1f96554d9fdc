import type { BenchResult } from "../../shared/contracts/operator/bench-record.ts";

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

const columns = ["row", "value", "yardstick", "ratio", "lowest – highest", "k", "target"] as const;

/** The results as lines with aligned columns. The range is that of the ratio; without a yardstick, of the value. */
export const resultTable = (results: readonly BenchResult[]): string =>
  alignedTable([[...columns, "measured"], ...results.map(cellsOf)], new Set([0, 6, 7]));

/** Rows of cells as lines. Columns in `isText` are left-aligned, others right-aligned. */
export function alignedTable(rows: readonly string[][], isText: ReadonlySet<number>): string {
  const widths = rows[0]!.map((_, k) => Math.max(...rows.map((cells) => cells[k]!.length)));
  return rows
    .map((cells) =>
      cells
        .map((cell, k) => (isText.has(k) ? cell.padEnd(widths[k]!) : cell.padStart(widths[k]!)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function cellsOf(result: BenchResult): string[] {
  const { name, what, unit, value, yardstick, ratio, low, high, repeats, target, isMet } = result;
  return [
    name,
    `${figure(value)} ${unit}`.trim(),
    yardstick === null ? "" : figure(yardstick.value),
    ratio === null ? "" : `${figure(ratio)} ×`,
    repeats === 1 ? "" : `${figure(low)} – ${figure(high)}`,
    `${repeats}`,
    `${target ?? ""}${isMet === false ? " MISSED" : ""}`,
    yardstick === null ? what : `${what}, vs. ${yardstick.what}`,
  ];
}

const figure = (value: number) => (Math.abs(value) >= 100 ? whole : short).format(value);
