import * as Plot from "@observablehq/plot";
import type { BoxesBlock } from "#shared/contracts/report.ts";
import { formatCount, formatTick, formatValue } from "../format/number.ts";
import { axisDomain } from "./parts/axis-marks.ts";
import { plotSvg } from "./parts/plot-svg.ts";

const rowHeight = 46;

function boxesLabel({ title, y, groups }: BoxesBlock): string {
  const shown = groups.map(
    ({ label, median, q1, q3 }) =>
      `${label} median ${formatValue(median, y.format)}, half of all from ${formatValue(q1, y.format)} to ${formatValue(q3, y.format)}`,
  );
  return `${title}: ${shown.join("; ")}`;
}

/** A row each: name above; box from the lower to the upper quartile, median across, line from least to most. */
export function boxesSvg(block: BoxesBlock): string {
  const { y, groups } = block;
  const rows = groups.map((group, row) => ({ ...group, row }));
  return plotSvg(boxesLabel(block), {
    height: rows.length * rowHeight + 40,
    marginLeft: 6,
    marginRight: 16,
    marginTop: 0,
    marginBottom: 40,
    x: {
      domain: axisDomain(
        y,
        groups.flatMap(({ min, max }) => [min, max]),
      ),
      label: null,
    },
    y: { domain: [0, rows.length], reverse: true, axis: null },
    marks: [
      Plot.gridX({ ticks: 5, stroke: "var(--line)", strokeOpacity: 1 }),
      Plot.axisX({ ticks: 5, tickSize: 0, tickFormat: (t: number) => formatTick(t, y.format) }),
      Plot.ruleY(rows, { y: ({ row }) => row + 0.68, x1: "min", x2: "max", stroke: "var(--ink)" }),
      Plot.rect(rows, {
        x1: "q1",
        x2: "q3",
        fill: "var(--heat-2)",
        stroke: "var(--ink)",
        y1: ({ row }) => row + 0.48,
        y2: ({ row }) => row + 0.88,
      }),
      Plot.ruleX(rows, {
        x: "median",
        stroke: "var(--ink)",
        strokeWidth: 3,
        y1: ({ row }) => row + 0.48,
        y2: ({ row }) => row + 0.88,
      }),
      Plot.text(rows, {
        frameAnchor: "left",
        textAnchor: "start",
        y: ({ row }) => row + 0.26,
        text: ({ label, n }) => `${label}  (n = ${formatCount(n)})`,
      }),
      Plot.text(rows, {
        frameAnchor: "right",
        textAnchor: "end",
        y: ({ row }) => row + 0.26,
        fontWeight: "600",
        text: ({ median }) => formatValue(median, y.format),
      }),
      Plot.text([`${y.label} →`], { frameAnchor: "bottom-right", textAnchor: "end", dy: 34 }),
    ],
  });
}
