import * as Plot from "@observablehq/plot";
import type { BarsBlock } from "#shared/contracts/report.ts";
import { formatCount, formatInterval, formatValue } from "../format/number.ts";
import { lyingIntervals, margins, rowText, valuesBelow } from "./parts/axis-marks.ts";
import { plotSvg } from "./parts/plot-svg.ts";
import { toneFill } from "./parts/tone.ts";
import { cutLabel } from "./parts/wrap-label.ts";

type Bar = BarsBlock["bars"][number];

const rowHeight = 42;
// Characters of 12 px text that fit next to the value.
const maxLabelLength = 42;

/** Counts have only whole numbers as ticks: five at most, evenly spaced. */
function countTicks(high: number): number[] {
  const step = Math.max(1, Math.ceil(high / 5));
  return Array.from({ length: Math.floor(high / step) + 1 }, (_, i) => i * step);
}

const reach = ({ value, interval }: Bar): number => Math.max(value ?? 0, interval?.[1] ?? 0);

/** Shares are drawn on 0–1, levels on 1–5, other values up to the largest end. */
export function barsDomain({ bars, format }: BarsBlock): [number, number] {
  if (format === "level") return [1, 5];
  const top = Math.max(0, ...bars.map(reach));
  const low = Math.min(0, ...bars.map(({ value, interval }) => interval?.[0] ?? value ?? 0));
  const isShare = format === "score" || format === "percent";
  return [low, isShare ? Math.max(1, top) : top || 1];
}

function barsLabel({ title, bars, format }: BarsBlock): string {
  const shown = bars.slice(0, 12).map(({ label, value, interval }) => {
    const within = interval ? ` (${formatInterval(interval, format)})` : "";
    return `${label} ${formatValue(value, format)}${within}`;
  });
  const rest = bars.length > 12 ? `; ${bars.length - 12} more in the table` : "";
  return `${title}: ${shown.join("; ")}${rest}`;
}

/** Keeps lines from crossing a name. */
const halo = { stroke: "var(--paper)", strokeWidth: 4, fill: "currentColor" };

/** A row for each bar: label and value above, the bar below, its interval at the end. */
export function barsSvg(block: BarsBlock): string {
  const [low, high] = barsDomain(block);
  const rows = block.bars.map((bar, row) => ({ ...bar, row }));
  const isCounted =
    block.format === "count" &&
    block.bars.every(({ value }) => value === null || Number.isInteger(value));
  const ticks = isCounted ? countTicks(high) : 5;
  const measured = rows.filter(({ isReference }) => !isReference);
  const lines = rows.filter(({ isReference }) => isReference === true);
  return plotSvg(barsLabel(block), {
    height: rows.length * rowHeight + 26,
    ...margins(0, 14, 26, 4),
    x: { domain: [low, high], label: null },
    y: { domain: [0, rows.length], reverse: true, axis: null },
    color: { type: "identity" },
    marks: [
      ...valuesBelow(block.format, ticks),
      Plot.ruleX(lines, {
        x: "value",
        y1: 0,
        y2: ({ row }) => row + 0.86,
        stroke: "var(--ink-soft)",
        strokeDasharray: "3 3",
      }),
      Plot.dot(lines, {
        x: "value",
        y: ({ row }) => row + 0.86,
        r: 3,
        fill: "var(--ink-soft)",
      }),
      Plot.rect(measured, {
        x1: Math.max(0, low),
        x2: ({ value }) => value ?? Math.max(0, low),
        y1: ({ row }) => row + 0.5,
        y2: ({ row }) => row + 0.86,
        fill: ({ tone }) => toneFill(tone),
      }),
      lyingIntervals(measured, ({ row }) => row + 0.68, { stroke: "var(--paper)", strokeWidth: 5 }),
      lyingIntervals(measured, ({ row }) => row + 0.68, { stroke: "var(--ink)", strokeWidth: 2 }),
      rowText(
        rows,
        "left",
        0.28,
        // A reference computed from a formula has no samples.
        ({ label, n, isReference }) =>
          isReference && n === 0
            ? cutLabel(label, maxLabelLength)
            : `${cutLabel(label, maxLabelLength)}  (n = ${formatCount(n)})`,
        halo,
      ),
      rowText(rows, "right", 0.28, ({ value }) => formatValue(value, block.format), {
        ...halo,
        fontWeight: "600",
      }),
    ],
  });
}
