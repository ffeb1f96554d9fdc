import * as Plot from "@observablehq/plot";
import type { GaugeBlock } from "#shared/contracts/report.ts";
import { formatInterval, formatTick, formatValue } from "../format/number.ts";
import { lyingIntervals, margins } from "./parts/axis-marks.ts";
import { plotSvg } from "./parts/plot-svg.ts";
import { toneFill } from "./parts/tone.ts";

const height = 74;

/** The zone a value lies in: the last that starts at or below it. */
export const zoneOf = (gauge: GaugeBlock): GaugeBlock["zones"][number] | undefined =>
  gauge.value === null ? undefined : gauge.zones.findLast(({ from }) => (gauge.value ?? 0) >= from);

function gaugeLabel(gauge: GaugeBlock): string {
  const { title, value, interval, format } = gauge;
  if (value === null) return `${title}: not measured`;
  const zone = zoneOf(gauge);
  const within = interval ? `, 95% interval ${formatInterval(interval, format)}` : "";
  return `${title}: ${formatValue(value, format)}${within}${zone ? `, in the zone ${zone.label}` : ""}`;
}

/** Minimum distance of labelled zone ends, as a share of the scale; closer labels would overlap. */
const leastApart = 0.07;

/** Both ends of the scale, and the ends of zones with room for a label. */
function ticksOf({ min, max, zones }: GaugeBlock): number[] {
  const room = leastApart * (max - min);
  const ends = zones.map(({ to }) => to).filter((to) => to < max - room);
  const inner = ends.filter((to, i) => to - (ends[i - 1] ?? min) >= room);
  return [min, ...inner, max];
}

/** A strip of zones; above it the value as a dot on its interval. */
export function gaugeSvg(gauge: GaugeBlock): string {
  const { value, interval, zones, min, max, format } = gauge;
  const dot = value === null ? [] : [value];
  return plotSvg(gaugeLabel(gauge), {
    height,
    ...margins(0, 14, 22, 14),
    x: { domain: [min, max], label: null },
    y: { domain: [0, 1], axis: null },
    color: { type: "identity" },
    marks: [
      Plot.rect(zones, {
        x1: "from",
        x2: "to",
        y1: 0,
        y2: 0.25,
        insetLeft: 0.5,
        insetRight: 0.5,
        fill: ({ tone }) => toneFill(tone),
      }),
      Plot.axisX({
        ticks: ticksOf(gauge),
        tickFormat: (tick: number) => formatTick(tick, format),
        tickSize: 3,
      }),
      Plot.ruleX(dot, { y1: 0, y2: 0.7, stroke: "var(--ink)", strokeWidth: 1.5 }),
      lyingIntervals([{ interval }], () => 0.7, { stroke: "var(--ink)", strokeWidth: 2 }),
      Plot.dot(dot, { x: (at) => at, y: 0.7, r: 5.5, fill: "var(--ink)", stroke: "var(--paper)" }),
    ],
  });
}
