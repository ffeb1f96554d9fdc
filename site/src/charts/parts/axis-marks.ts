import * as Plot from "@observablehq/plot";
import type { Axis } from "#shared/contracts/report.ts";
import { formatCount, formatTick } from "../../format/number.ts";

/** Room for what stands around a frame with both axes named. */
export const frame = { marginLeft: 48, marginRight: 16, marginTop: 34, marginBottom: 42 };

/** Of 12 px text on a chart's width. */
const mostTicks = 5;

/** Milliseconds are long: below the x axis their unit is part of its name. */
export const xTickText = (tick: number, { format }: Axis): string =>
  format === "ms" ? formatCount(tick) : formatTick(tick, format);

/** An axis's name; of times it says how it is scaled, too, since few expect it to be logarithmic. */
export function xName({ label, format }: Axis, isLog: boolean): string {
  const unit = format === "ms" ? ", ms" : "";
  const scale = isLog ? ", logarithmic" : format === "ms" ? ", linear" : "";
  return `${label}${unit}${scale} →`;
}

/**
 * Grid, ticks and the names of both axes: the y axis's above it, so that it needs no turned text. `ticks` are those of a
 * logarithmic x axis.
 */
export function axisMarks(x: Axis, y: Axis, ticks: { x?: number[] } = {}): Plot.Markish[] {
  return [
    Plot.gridY({ ticks: mostTicks, stroke: "var(--line)", strokeOpacity: 1 }),
    Plot.axisX({
      ticks: ticks.x ?? mostTicks,
      tickSize: 3,
      tickFormat: (tick: number) => xTickText(tick, x),
    }),
    Plot.axisY({
      ticks: mostTicks,
      tickSize: 0,
      tickFormat: (tick: number) => formatTick(tick, y.format),
    }),
    Plot.text([xName(x, ticks.x !== undefined)], {
      frameAnchor: "bottom-right",
      textAnchor: "end",
      dy: 36,
    }),
    Plot.text([`↑ ${y.label}`], {
      frameAnchor: "top-left",
      textAnchor: "start",
      dx: -44,
      dy: -24,
    }),
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
 * Round ticks of a logarithmic axis: powers of ten, and 2 and 5 of them where these are few; evenly spaced numbers
 * where even those are.
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
