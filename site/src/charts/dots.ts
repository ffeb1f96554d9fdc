import type * as Plot from "@observablehq/plot";

const svg = "http://www.w3.org/2000/svg";

const tenth = (value: number): number => Math.round(value * 10) / 10;

/**
 * Dots of one colour as one path of points with round ends: hundreds of circles would be most of a report's
 * bytes. The plot's domains must be given, since this mark has no channels to infer them from.
 */
export const dots =
  (
    points: readonly { x: number; y: number }[],
    { radius, stroke, opacity }: { radius: number; stroke: string; opacity: number },
  ): Plot.RenderFunction =>
  (_index, { x, y }, _values, _dimensions, { document }) => {
    const path = document.createElementNS(svg, "path");
    const at = (point: { x: number; y: number }) =>
      `M${tenth(Number(x?.(point.x)))},${tenth(Number(y?.(point.y)))}h0`;
    path.setAttribute("d", points.map(at).join(""));
    path.setAttribute("stroke", stroke);
    path.setAttribute("stroke-opacity", String(opacity));
    path.setAttribute("stroke-width", String(2 * radius));
    path.setAttribute("stroke-linecap", "round");
    return path;
  };
