import * as Plot from "@observablehq/plot";
import type { HistogramBlock } from "#shared/contracts/report.ts";
import { formatCount, formatValue } from "../format/number.ts";
import { axisMarks, frame, logTicks } from "./parts/axis-marks.ts";
import { chartWidth, plotSvg } from "./parts/plot-svg.ts";
import { textWidth } from "./parts/wrap-label.ts";

const height = 240;
const innerWidth = chartWidth - frame.marginLeft - frame.marginRight;

function histogramLabel({ title, x, unit, bins, lines }: HistogramBlock): string {
  const total = bins.reduce((sum, { count }) => sum + count, 0);
  const largest = bins.toSorted((a, b) => b.count - a.count)[0];
  const most = largest
    ? `; most, ${formatCount(largest.count)}, from ${formatValue(largest.from, x.format)} to ${formatValue(largest.to, x.format)}`
    : "";
  const named = lines.map((line) => `; ${line.label} ${formatValue(line.x, x.format)}`).join("");
  return `${title}: ${formatCount(total)} ${unit} by ${x.label}${most}${named}`;
}

/** Neighbouring names get lines of their own, so that they never overlap. */
const rowOf = (i: number): number => 12 + 13 * (i % 3);

/** A column for each bin; named values as lines across, their names above the columns. */
export function histogramSvg(block: HistogramBlock): string {
  const { x, unit, bins, lines } = block;
  const low = bins[0]?.from ?? 0;
  const high = bins.at(-1)?.to ?? 1;
  const top = bins.reduce((most, { count }) => Math.max(most, count), 0) || 1;
  const isLog = x.scale === "log" && low > 0;
  const room = lines.length > 0 ? 1.35 : 1.05;
  /**
   * Whether a name goes to the left of its line, because on the right it would leave the frame or cross the next line.
   */
  const isNamedBefore = ({ x: at, label }: HistogramBlock["lines"][number]): boolean => {
    const place = placeOf(at, [low, high], isLog);
    const beyond = (1 - place) * innerWidth;
    const gaps = lines.map((line) => placeOf(line.x, [low, high], isLog) - place);
    return (
      beyond < textWidth(label) + 6 || (place > 0.2 && gaps.some((gap) => gap > 0 && gap < 0.15))
    );
  };
  return plotSvg(histogramLabel(block), {
    height,
    ...frame,
    x: { ...(isLog && { type: "log" as const }), domain: [low, high], label: null },
    y: { domain: [0, top * room], label: null },
    marks: [
      ...axisMarks(x, { label: unit, format: "count" }, isLog ? { x: logTicks(low, high) } : {}),
      Plot.rect(bins, {
        x1: "from",
        x2: "to",
        y1: 0,
        y2: "count",
        fill: "var(--heat-4)",
        insetLeft: 0.5,
        insetRight: 0.5,
      }),
      Plot.ruleX(lines, { x: "x", stroke: "var(--ink)", strokeWidth: 1.5, strokeDasharray: "3 2" }),
      ...lines.map((line, i) =>
        Plot.text([line], {
          x: "x",
          frameAnchor: "top",
          dy: rowOf(i),
          text: "label",
          fontWeight: "600",
          // If lines are close together, a name crosses the next one.
          stroke: "var(--paper)",
          strokeWidth: 4,
          fill: "var(--ink)",
          ...(isNamedBefore(line)
            ? { textAnchor: "end" as const, dx: -4 }
            : { textAnchor: "start" as const, dx: 4 }),
        }),
      ),
    ],
  });
}

function placeOf(value: number, [low, high]: readonly [number, number], isLog: boolean): number {
  const at = (one: number) => (isLog ? Math.log(one) : one);
  return high > low ? (at(value) - at(low)) / (at(high) - at(low)) : 0;
}
