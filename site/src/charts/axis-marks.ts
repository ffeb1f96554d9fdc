import * as Plot from "@observablehq/plot";
import type { Axis } from "#shared/contracts/report.ts";
import { formatCount, formatTick } from "../format/number.ts";

/** Room for what stands around a frame with both axes named. */
export const frame = { marginLeft: 48, marginRight: 16, marginTop: 34, marginBottom: 42 };

/** Of 12 px text on a chart's width. */
const mostTicks = 5;

/** Milliseconds are long: below the x axis their unit stands with its name. */
const xTickText = (tick: number, { format }: Axis): string =>
  format === "ms" ? formatCount(tick) : formatTick(tick, format);

const xName = ({ label, format }: Axis, isLog: boolean): string =>
  `${label}${format === "ms" ? ", ms" : ""}${isLog ? ", logarithmic" : ""} →`;

/**
 * Grid, ticks and the names of both axes: the y axis's above it, so that it needs no turned text. `ticks` are those of a
 * logarithmic x axis.
 */
export function axisMarks(x: Axis, y: Axis, ticks: { x?: number[] } = {}): Plot.Markish[] {
  return [
    Plot.gridY({ ticks: mostTicks, stroke: "var(--line)", strokeOpacity: 1 }),
    Plot.axisX({
      ...{ ticks: ticks.x ?? mostTicks, tickSize: 3 },
      tickFormat: (tick: number) => xTickText(tick, x),
    }),
    Plot.axisY({
      ...{ ticks: mostTicks, tickSize: 0 },
      tickFormat: (tick: number) => formatTick(tick, y.format),
    }),
    Plot.text([xName(x, ticks.x !== undefined)], {
      frameAnchor: "bottom-right",
      textAnchor: "end",
      dy: 36,
    }),
    Plot.text([`↑ ${y.label}`], {
      ...{ frameAnchor: "top-left", textAnchor: "start", dx: -44, dy: -24 },
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

/** Round ticks of a logarithmic axis: powers of ten, and 2 and 5 of them where these are few. */
export function logTicks(low: number, high: number): number[] {
  const first = Math.floor(Math.log10(low));
  const last = Math.ceil(Math.log10(high));
  const factors = last - first > 3 ? [1] : [1, 2, 5];
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
    .flatMap((power) => factors.map((factor) => factor * 10 ** power))
    .filter((tick) => tick >= low && tick <= high);
}
