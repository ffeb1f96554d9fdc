import * as Plot from "@observablehq/plot";
import type { Metric } from "#shared/contracts/metric.ts";
import {
  formatDifference,
  formatDifferenceInterval,
  formatDifferenceTick,
} from "../format/number.ts";
import { cornerText, lyingIntervals, margins, rowText } from "./parts/axis-marks.ts";
import { plotSvg } from "./parts/plot-svg.ts";

export interface DifferenceDots {
  metric: Pick<Metric, "label" | "format" | "better">;
  rows: readonly DifferenceRow[];
  /** A band around zero within which differences are acceptable; missing: none. */
  margin?: number;
}

interface DifferenceRow {
  first: string;
  second: string;
  /** Value of the first run minus that of the second. */
  value: number;
  interval: readonly [number, number] | null;
  /** Marks of significance; empty: not significant. */
  stars: string;
}

const rowHeight = 58;
const mostTicks = 5;
/** Keeps lines of the grid out of texts. */
const halo = { fill: "var(--ink)", stroke: "var(--paper)", strokeWidth: 5 };

/** A domain with all intervals, zero and the band, and some padding; around zero if all values are zero. */
export function differenceDomain(
  rows: readonly Pick<DifferenceRow, "value" | "interval">[],
  band = 0,
): [number, number] {
  const ends = rows.flatMap(({ value, interval }) => [value, ...(interval ?? [])]);
  ends.push(band, -band);
  const low = ends.reduce((least, end) => Math.min(least, end), 0);
  const high = ends.reduce((most, end) => Math.max(most, end), 0);
  if (low === high) return [-1, 1];
  const air = (high - low) * 0.04;
  return [low < 0 ? low - air : -air, high > 0 ? high + air : air];
}

function differenceLabel({ metric, rows, margin }: DifferenceDots): string {
  const shown = rows
    .slice(0, 8)
    .map(
      ({ first, second, value, interval, stars }) =>
        `${first} − ${second} ${formatDifference(value, metric.format)} (${formatDifferenceInterval(interval, metric.format)})${stars === "" ? "" : ", significant"}`,
    );
  const rest = rows.length > 8 ? `; ${rows.length - 8} more in the table` : "";
  const band = margin === undefined ? "" : `, margin ${formatDifference(margin, metric.format)}`;
  return `Differences in ${metric.label}${band}: ${shown.join("; ")}${rest}`;
}

/** A dot with its interval for each pair, around zero; filled if the pair differs significantly. */
export function differenceDotsSvg(dots: DifferenceDots): string {
  const { metric, margin } = dots;
  const band = margin === undefined ? [] : [margin];
  const rows = dots.rows.map((one, row) => ({ ...one, row }));
  const y = ({ row }: { row: number }) => row + 0.8;
  return plotSvg(differenceLabel(dots), {
    height: rows.length * rowHeight + 46,
    ...margins(0, 14, 46, 4),
    x: { domain: differenceDomain(rows, margin), label: null },
    y: { domain: [0, rows.length], reverse: true, axis: null },
    color: { type: "identity" },
    marks: [
      Plot.rectX(band, {
        x1: (end) => -end,
        x2: (end) => end,
        fill: "var(--accent)",
        fillOpacity: 0.12,
      }),
      Plot.gridX({ ticks: mostTicks, stroke: "var(--line)", strokeOpacity: 1 }),
      Plot.ruleX([...band, ...band.map((end) => -end)], {
        stroke: "var(--accent)",
        strokeDasharray: "4 3",
      }),
      Plot.axisX({
        ticks: mostTicks,
        tickSize: 0,
        tickFormat: (tick: number) => formatDifferenceTick(tick, metric.format),
      }),
      // Only next to the dots, because it would cross the names.
      Plot.ruleX(rows, {
        x: 0,
        stroke: "var(--ink-soft)",
        strokeWidth: 1.5,
        y1: ({ row }) => row + 0.62,
        y2: ({ row }) => row + 0.98,
      }),
      lyingIntervals(rows, y, { stroke: "var(--accent)", strokeWidth: 2 }),
      Plot.dot(rows, {
        x: "value",
        y,
        r: 5,
        stroke: "var(--accent)",
        strokeWidth: 2,
        fill: ({ stars }) => (stars === "" ? "var(--paper)" : "var(--accent)"),
      }),
      rowText(rows, "left", 0.2, ({ first }) => first, halo),
      rowText(rows, "left", 0.46, ({ second }) => `− ${second}`, halo),
      rowText(
        rows,
        "right",
        0.2,
        ({ value, stars }) => `${formatDifference(value, metric.format)}${stars}`,
        { ...halo, fontWeight: "600" },
      ),
      cornerText(
        `difference in ${metric.label}${metric.better === "lower" ? ", lower is better" : ""} →`,
        "bottom-right",
        { dy: 40 },
      ),
    ],
  });
}
