import type { BenchResult } from "./bench.ts";

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

const columns = ["row", "value", "lowest – highest", "k", "ratio", "target", "measured"] as const;

/** The results as lines with aligned columns; the ratio says how many times better than the target. */
export function resultTable(results: readonly BenchResult[]): string {
  const rows = [[...columns], ...results.map(cellsOf)];
  const widths = columns.map((_, k) => Math.max(...rows.map((cells) => cells[k]!.length)));
  const isNumber = (k: number) => k > 0 && k < columns.indexOf("target");
  const lines = rows.map((cells) =>
    cells
      .map((cell, k) => (isNumber(k) ? cell.padStart(widths[k]!) : cell.padEnd(widths[k]!)))
      .join("  ")
      .trimEnd(),
  );
  return lines.join("\n");
}

function cellsOf(result: BenchResult): string[] {
  const { name, what, unit, value, low, high, repeats, target, ratio, isPromised } = result;
  return [
    name,
    `${figure(value)} ${unit}`,
    repeats === 1 ? "" : `${figure(low)} – ${figure(high)}`,
    `${repeats}`,
    ratio === null ? "" : ratio.toFixed(2),
    target === null || isPromised ? (target ?? "") : `not promised here: ${target}`,
    what,
  ];
}

const figure = (value: number) => (Math.abs(value) >= 100 ? whole : short).format(value);
