import * as Plot from "@observablehq/plot";
import type { Axis } from "#shared/contracts/report.ts";
import { formatCount, formatTick } from "../../format/number.ts";

/** Margins of a frame for both axes and their names. */
export const frame = { marginLeft: 48, marginRight: 16, marginTop: 34, marginBottom: 42 };

/** Margins of a frame, in the order of CSS. */
export const margins = (
  marginTop: number,
  marginRight: number,
  marginBottom: number,
  marginLeft: number,
) => ({ marginTop, marginRight, marginBottom, marginLeft });

/** Maximum ticks of 12 px text on a chart's width. */
const mostTicks = 5;

type Format = Axis["format"];
type Ticks = number | number[];

/** The grid of a horizontal axis of values, and the labels below it. */
export const valuesBelow = (format: Format, ticks: Ticks = mostTicks): Plot.Markish[] => [
  Plot.gridX({ ticks, stroke: "var(--line)", strokeOpacity: 1 }),
  Plot.axisX({ ticks, tickFormat: (tick: number) => formatTick(tick, format), tickSize: 0 }),
];

/** The grid of a vertical axis of values, and the labels next to it. */
export const valuesBeside = (format: Format, ticks: Ticks = mostTicks): Plot.Markish[] => [
  Plot.gridY({ ticks, stroke: "var(--line)", strokeOpacity: 1 }),
  Plot.axisY({ ticks, tickFormat: (tick: number) => formatTick(tick, format), tickSize: 0 }),
];

/** A text at a corner of the frame, offset by pixels. */
export const cornerText = (
  text: string,
  corner: "top-left" | "top-right" | "bottom-right",
  { dx = 0, dy, ...more }: { dx?: number; dy: number; fontWeight?: string },
): Plot.Markish =>
  Plot.text([text], {
    ...more,
    dx,
    dy,
    frameAnchor: corner,
    textAnchor: corner.endsWith("left") ? "start" : "end",
  });

/** A text at one side of each row, at the share `at` of its height. */
export const rowText = <Row extends { row: number }>(
  rows: readonly Row[],
  side: "left" | "right",
  at: number,
  text: (row: Row) => string,
  more: Omit<Plot.TextOptions, "text"> = {},
): Plot.Markish =>
  Plot.text(rows, {
    ...more,
    frameAnchor: side,
    textAnchor: side === "left" ? "start" : "end",
    y: ({ row }) => row + at,
    text,
  });

type Interval = readonly [number, number];
interface Line {
  stroke: string;
  strokeWidth: number;
}

const withInterval = <Its extends { interval: Interval | null }>(rows: readonly Its[]) =>
  rows.filter((one): one is Its & { interval: Interval } => one.interval !== null);

/** Horizontal intervals, of values that have one. */
export const lyingIntervals = <Its extends { interval: Interval | null }>(
  rows: readonly Its[],
  y: (row: Its) => number,
  line: Line,
): Plot.Markish =>
  Plot.ruleY(withInterval(rows), {
    ...line,
    y,
    x1: ({ interval }) => interval[0],
    x2: ({ interval }) => interval[1],
  });

/** Vertical intervals at `x`, of values that have one. */
export const standingIntervals = <Its extends { interval: Interval | null }>(
  rows: readonly Its[],
  x: string,
  line: Line,
): Plot.Markish =>
  Plot.ruleX(withInterval(rows), {
    ...line,
    x,
    y1: ({ interval }) => interval[0],
    y2: ({ interval }) => interval[1],
  });

/** Milliseconds are long, so below the x axis their unit is part of the axis name. */
export const xTickText = (tick: number, { format }: Axis): string =>
  format === "ms" ? formatCount(tick) : formatTick(tick, format);

/** An axis's name; for times it also states a logarithmic scale, which readers may not expect. */
export function xName({ label, format }: Axis, isLog: boolean): string {
  const unit = format === "ms" ? ", ms" : "";
  const scale = isLog ? ", logarithmic" : format === "ms" ? ", linear" : "";
  return `${label}${unit}${scale} →`;
}

/**
 * Grid, ticks and names of both axes; the name of the y axis is above it, so that no text is rotated. `ticks`: those of
 * a logarithmic x axis.
 */
export function axisMarks(x: Axis, y: Axis, ticks: { x?: number[] } = {}): Plot.Markish[] {
  const [grid, values] = valuesBeside(y.format);
  return [
    grid!,
    Plot.axisX({
      ticks: ticks.x ?? mostTicks,
      tickSize: 3,
      tickFormat: (tick: number) => xTickText(tick, x),
    }),
    values!,
    cornerText(xName(x, ticks.x !== undefined), "bottom-right", { dy: 36 }),
    cornerText(`↑ ${y.label}`, "top-left", { dx: -44, dy: -24 }),
  ];
}

/** Shares are drawn on 0–1, levels on 1–5; anything else from 0 to its largest value. */
export function axisDomain({ format }: Axis, values: readonly number[]): [number, number] {
  if (format === "level") return [1, 5];
  const high = values.reduce((most, value) => Math.max(most, value), 0);
  if (format === "score" || format === "percent") return [0, Math.max(1, high)];
  return [values.reduce((least, value) => Math.min(least, value), 0), high || 1];
}

const fewestTicks = 3;

/**
 * Round ticks of a logarithmic axis: powers of ten; if there are few, also 2 and 5 times these; if still few,
 * evenly spaced numbers.
 */
export function logTicks(low: number, high: number): number[] {
  const first = Math.floor(Math.log10(low));
  const last = Math.ceil(Math.log10(high));
  const factors = last - first > 3 ? [1] : [1, 2, 5];
  const found = Array.from({ length: last - first + 1 }, (_, i) => first + i)
    .flatMap((power) => factors.map((factor) => factor * 10 ** power))
    .filter((tick) => tick >= low && tick <= high);
  return found.length < fewestTicks ? evenTicks(low, high) : found;
}

/** Multiples of 1, 2 or 5 of a power of ten, three to six of them. */
function evenTicks(low: number, high: number): number[] {
  const rough = (high - low) / mostTicks;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.ceil(low / step);
  const count = Math.floor(high / step) - first + 1;
  return Array.from({ length: count }, (_, i) => Number(((first + i) * step).toPrecision(6)));
}
