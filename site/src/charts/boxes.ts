import * as Plot from "@observablehq/plot";
import type { BoxesBlock } from "#shared/contracts/report.ts";
import { formatCount, formatValue } from "../format/number.ts";
import { axisDomain, cornerText, margins, rowText, valuesBelow } from "./parts/axis-marks.ts";
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
    ...margins(0, 16, 40, 6),
    x: {
      domain: axisDomain(
        y,
        groups.flatMap(({ min, max }) => [min, max]),
      ),
      label: null,
    },
    y: { domain: [0, rows.length], reverse: true, axis: null },
    marks: [
      ...valuesBelow(y.format),
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
      rowText(rows, "left", 0.26, ({ label, n }) => `${label}  (n = ${formatCount(n)})`),
      rowText(rows, "right", 0.26, ({ median }) => formatValue(median, y.format), {
        fontWeight: "600",
      }),
      cornerText(`${y.label} →`, "bottom-right", { dy: 34 }),
    ],
  });
}
