import * as Plot from "@observablehq/plot";
import type { Estimate, Metric } from "#shared/contracts/metric.ts";
import { formatInterval, formatValue } from "../format/number.ts";
import { margins, standingIntervals, valuesBeside } from "./parts/axis-marks.ts";
import { intervalScale } from "./parts/interval-scale.ts";
import { plotSvg } from "./parts/plot-svg.ts";

/** A metric by one swept parameter, in the order of its values. */
export interface SweepLine {
  parameter: string;
  points: readonly { label: string; estimate: Estimate | null }[];
  metric: Pick<Metric, "label" | "format">;
}

const height = 230;
/** Labels that fit next to each other; with more values, only every second, third, … has a label. */
const mostLabels = 9;

function lineLabel({ parameter, points, metric }: SweepLine): string {
  const shown = points.map(({ label, estimate }) => {
    if (estimate === null) return `${label} –`;
    const within = estimate.interval
      ? ` (${formatInterval(estimate.interval, metric.format)})`
      : "";
    return `${label} ${formatValue(estimate.value, metric.format)}${within}`;
  });
  return `${metric.label} by ${parameter}: ${shown.join("; ")}`;
}

/** Values as dots on their intervals, joined if both neighbours were measured. */
export function sweepLineSvg(line: SweepLine): string {
  const { points, metric, parameter } = line;
  const scale = scaleOf(line);
  const known = points.map(({ estimate }, i) => ({
    i,
    value: estimate?.value ?? Number.NaN,
    interval: estimate?.interval ?? null,
  }));
  const measured = known.filter(({ value }) => !Number.isNaN(value));
  const every = Math.ceil(points.length / mostLabels);
  return plotSvg(lineLabel(line), {
    height,
    ...margins(8, 14, 44, 46),
    x: { type: "point", domain: points.map((_, i) => i), label: null, padding: 0.5 },
    y: { domain: [scale.min, scale.max], label: null },
    marks: [
      ...valuesBeside(metric.format, scale.ticks),
      Plot.axisX({
        ticks: known.map(({ i }) => i).filter((i) => i % every === 0),
        tickSize: 3,
        tickFormat: (i: number) => points[i]?.label ?? "",
      }),
      Plot.text([parameter], { frameAnchor: "bottom", dy: 36, fontWeight: "600" }),
      Plot.lineY(known, { x: "i", y: "value", stroke: "var(--accent)", strokeWidth: 1.5 }),
      standingIntervals(measured, "i", { stroke: "var(--accent)", strokeWidth: 2 }),
      Plot.dot(measured, {
        x: "i",
        y: "value",
        r: 4.5,
        fill: "var(--accent)",
        stroke: "var(--paper)",
      }),
    ],
  });
}

/** The y axis: shares on a narrow round range with all intervals, levels on 1–5, other values from 0. */
function scaleOf({ points, metric }: SweepLine) {
  if (metric.format === "level") return { min: 1, max: 5, ticks: [1, 2, 3, 4, 5] };
  const estimates = points.flatMap(({ estimate }) => estimate ?? []);
  if (metric.format === "score" || metric.format === "percent") return intervalScale(estimates);
  const ends = estimates.flatMap(({ value, interval }) => [value ?? 0, interval?.[1] ?? 0]);
  const max = Math.max(0, ...ends) || 1;
  return { min: 0, max, ticks: [0, max / 2, max] };
}
