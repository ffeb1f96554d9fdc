import * as Plot from "@observablehq/plot";
import type { RadarBlock } from "#shared/contracts/report.ts";
import { formatInterval, formatValue } from "../format/number.ts";
import { margins } from "./parts/axis-marks.ts";
import { plotSvg } from "./parts/plot-svg.ts";

const rings = [0.25, 0.5, 0.75, 1];
const height = 300;
const margin = 40;

const sides = ["start", "middle", "end"] as const;

/** Names at the sides are set away from the shape. */
const sideOf = (dx: number): (typeof sides)[number] =>
  Math.abs(dx) < 0.2 ? "middle" : dx > 0 ? "start" : "end";

interface Spoke {
  label: string;
  value: number | null;
  /** Unit vector from the centre. */
  dx: number;
  dy: number;
}

/** The first axis points up, the others follow clockwise. */
function spokesOf({ axes }: RadarBlock): Spoke[] {
  return axes.map(({ label, value }, i) => {
    const turn = (2 * Math.PI * i) / axes.length;
    return { label, value, dx: Math.sin(turn), dy: Math.cos(turn) };
  });
}

function radarLabel({ title, axes }: RadarBlock): string {
  const shown = axes.map(({ label, value, interval }) => {
    const within = interval ? ` (${formatInterval(interval, "score")})` : "";
    return `${label} ${formatValue(value, "score")}${within}`;
  });
  return `${title}: ${shown.join("; ")}`;
}

const around = (spokes: readonly Spoke[], reach: (spoke: Spoke) => number) =>
  [...spokes, ...spokes.slice(0, 1)].map((spoke) => ({
    x: spoke.dx * reach(spoke),
    y: spoke.dy * reach(spoke),
  }));

/** Values from the centre (0) to the outer ring (1), joined to a shape. */
export function radarSvg(block: RadarBlock): string {
  const spokes = spokesOf(block);
  const shape = around(spokes, ({ value }) => value ?? 0);
  return plotSvg(radarLabel(block), {
    height,
    ...margins(margin, 0, margin, 0),
    x: { domain: [-1.85, 1.85], axis: null },
    y: { domain: [-1, 1], axis: null },
    marks: [
      ...rings.map((ring) =>
        Plot.line(
          around(spokes, () => ring),
          { x: "x", y: "y", stroke: "var(--line)", strokeWidth: 1 },
        ),
      ),
      Plot.link(spokes, { x1: 0, y1: 0, x2: "dx", y2: "dy", stroke: "var(--line)" }),
      Plot.line(shape, {
        x: "x",
        y: "y",
        stroke: "var(--accent)",
        strokeWidth: 2,
        fill: "var(--accent)",
        fillOpacity: 0.16,
      }),
      Plot.dot(shape.slice(0, -1), { x: "x", y: "y", r: 3.5, fill: "var(--accent)" }),
      ...sides.map((side) =>
        Plot.text(
          spokes.filter(({ dx }) => sideOf(dx) === side),
          {
            x: ({ dx }) => dx * 1.08,
            y: ({ dy }) => dy * 1.2,
            lineHeight: 1.25,
            lineWidth: 8,
            textAnchor: side,
            text: ({ label, value }) => `${label}\n${formatValue(value, "score")}`,
          },
        ),
      ),
      Plot.text(rings.slice(0, -1), {
        x: 0,
        y: (ring: number) => ring,
        dx: 4,
        textAnchor: "start",
        fontSize: 10,
        text: (ring: number) => String(ring),
      }),
    ],
  });
}
