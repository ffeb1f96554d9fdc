import * as Plot from "@observablehq/plot";
import type { LineBlock } from "#shared/contracts/report.ts";
import { formatTick, formatValue } from "../format/number.ts";
import { cornerText, margins } from "./parts/axis-marks.ts";
import { plotSvg } from "./parts/plot-svg.ts";
import { toneFill } from "./parts/tone.ts";

function lineLabel({ title, x, y, points, marks }: LineBlock): string {
  const at = (point: { x: number; y: number }) =>
    `${y.label} ${formatValue(point.y, y.format)} at ${x.label} ${formatValue(point.x, x.format)}`;
  const ends = [points[0], points.at(-1)].flatMap((point) => (point ? [at(point)] : []));
  const named = marks.map((mark) => `${mark.label}: ${at(mark)}`);
  return `${title}, ${points.length} points: ${[...ends, ...named].join("; ")}`;
}

/** Names of points at an end of the axis stay inside the frame, away from its ticks. */
function anchorAt(share: number): "start" | "middle" | "end" {
  if (share < edge) return "start";
  return share > 1 - edge ? "end" : "middle";
}

const edge = 0.1;

/** A step line from left to right, its named points above it; shares are drawn on 0–1. */
export function lineSvg(block: LineBlock): string {
  const { x, y, points, marks } = block;
  const isShare = y.format === "score" || y.format === "percent";
  const top = Math.max(isShare ? 1 : 0, ...points.map((point) => point.y));
  const right = Math.max(x.format === "score" ? 1 : 0, ...points.map((point) => point.x));
  return plotSvg(lineLabel(block), {
    height: 260,
    ...margins(36, 16, 40, 48),
    x: { domain: [0, right], label: null },
    y: { domain: [0, top], label: null },
    color: { type: "identity" },
    marks: [
      Plot.gridY({ ticks: 5, stroke: "var(--line)", strokeOpacity: 1 }),
      Plot.axisX({ ticks: 5, tickFormat: (t: number) => formatTick(t, x.format), tickSize: 0 }),
      Plot.axisY({ ticks: 5, tickFormat: (t: number) => formatTick(t, y.format), tickSize: 0 }),
      Plot.line(points, {
        x: "x",
        y: "y",
        curve: "step-before",
        stroke: "var(--accent)",
        strokeWidth: 2,
      }),
      Plot.dot(marks, {
        x: "x",
        y: "y",
        r: 5,
        fill: ({ tone }) => toneFill(tone),
        stroke: "var(--ink)",
      }),
      ...marks.map((mark, i) =>
        Plot.text([mark], {
          x: "x",
          y: "y",
          // Names of neighbours alternate between the two sides of the line.
          dy: i % 2 === 0 ? 18 : -16,
          text: "label",
          textAnchor: anchorAt(mark.x / right),
          fontWeight: "600",
        }),
      ),
      Plot.text([x.label], { frameAnchor: "bottom", dy: 34, text: (label: string) => label }),
      cornerText(y.label, "top-left", { dx: -44, dy: -28 }),
    ],
  });
}
