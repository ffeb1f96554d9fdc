import * as Plot from "@observablehq/plot";
import type { MatrixBlock } from "#shared/contracts/report.ts";
import { formatValue } from "../format/number.ts";
import { heatFill, heatStep } from "./heat-map.ts";
import { plotSvg } from "./plot-svg.ts";

const rowHeight = 30;
const headHeight = 64;
/** Of 12 px text. */
const characterWidth = 6.8;
const widestName = 150;
/** From here on colours bear light text by day, dark by night. */
const firstHigh = 4;
/** Narrower cells hold no number; the table below has them. */
const leastCellWidth = 36;
/** Narrower ones have smaller text. */
const smallCellWidth = 48;
const usualFontSize = 12;
const smallFontSize = 9;
const chartWidth = 400;

interface Cell {
  row: number;
  column: number;
  value: number;
  fill: string;
  isHigh: boolean;
}

function rangeOf({ cells, scale }: MatrixBlock): [number, number] {
  if (scale === "share") return [0, 1];
  if (scale === "diverging") return [-1, 1];
  const values = cells.flat().filter((value) => value !== null);
  return values.length === 0 ? [0, 1] : [Math.min(...values), Math.max(...values)];
}

/** Diverging values have the seven colours by size, and a hue by sign. */
function cellOf(block: MatrixBlock, value: number, row: number, column: number): Cell {
  const isDiverging = block.scale === "diverging";
  const step = isDiverging ? heatStep(Math.abs(value), [0, 1]) : heatStep(value, rangeOf(block));
  const fill = isDiverging && value < 0 ? `var(--cold-${step})` : heatFill(step);
  return { row, column, value, fill, isHigh: step >= firstHigh };
}

const emptyCells = ({ cells }: MatrixBlock) =>
  cells.flatMap((its, row) =>
    its.flatMap((value, column) => (value === null ? [{ row, column }] : [])),
  );

const cut = (name: string, most: number): string =>
  name.length <= most ? name : `${name.slice(0, Math.max(1, most - 1))}…`;

/** Heads of columns in two lines: in smaller letters where a word or a name would not fit. */
function headFit(names: readonly string[], cellWidth: number) {
  const perLine = (fontSize: number) =>
    Math.floor(((cellWidth - 6) / characterWidth) * (usualFontSize / fontSize));
  const [usual, small] = [perLine(usualFontSize), perLine(smallFontSize)];
  const isRoomy =
    cellWidth >= smallCellWidth &&
    names.every(
      (name) =>
        name.length <= 2 * usual && name.split(" ").every((word) => word.length <= usual + 1),
    );
  return isRoomy
    ? { fontSize: usualFontSize, perLine: usual }
    : { fontSize: smallFontSize, perLine: small };
}

function matrixLabel({ title, rows, columns, cells, format }: MatrixBlock): string {
  const known = cells.flatMap((row, i) =>
    row.flatMap((value, j) =>
      value === null ? [] : [{ value, at: `${rows.names[i]} × ${columns.names[j]}` }],
    ),
  );
  const ordered = known.toSorted((a, b) => b.value - a.value);
  const ends = [ordered[0], ordered.at(-1)].flatMap((end) =>
    end ? [`${formatValue(end.value, format)} (${end.at})`] : [],
  );
  return `${title}: ${rows.label} by ${columns.label}; ${ends.length === 2 ? `from ${ends[1]} to ${ends[0]}` : "nothing measured"}`;
}

/** A cell for each pair of names: colour by value, and the number where there is room. */
export function matrixSvg(block: MatrixBlock): string {
  const { rows, columns, cells, format } = block;
  const known = cells.flatMap((its, row) =>
    its.flatMap((value, column) => (value === null ? [] : [cellOf(block, value, row, column)])),
  );
  const longest = Math.max(0, ...rows.names.map(({ length }) => length));
  const marginLeft = Math.min(widestName, 14 + longest * characterWidth);
  const cellWidth = (chartWidth - marginLeft) / Math.max(1, columns.names.length);
  const fontSize = cellWidth < smallCellWidth ? smallFontSize : usualFontSize;
  const head = headFit(columns.names, cellWidth);
  const text = (its: Cell[], className: string) =>
    Plot.text(cellWidth < leastCellWidth ? [] : its, {
      ...{ x: "column", y: "row", className, fontSize },
      text: ({ value }: Cell) => formatValue(value, format),
    });
  return plotSvg(matrixLabel(block), {
    height: headHeight + rows.names.length * rowHeight + 2,
    ...{ marginLeft, marginRight: 1, marginTop: headHeight, marginBottom: 1 },
    x: { domain: columns.names.map((_, i) => i), label: null, padding: 0.04 },
    y: { domain: rows.names.map((_, i) => i), label: null, padding: 0.06 },
    color: { type: "identity" },
    marks: [
      Plot.axisX({
        ...{ anchor: "top", tickSize: 0, fontSize: head.fontSize },
        ...{ lineWidth: Math.max(3, head.perLine * 0.62) },
        tickFormat: (i: number) => cut(columns.names[i] ?? "", head.perLine * 2),
      }),
      Plot.axisY({
        ...{ tickSize: 0 },
        tickFormat: (i: number) =>
          cut(rows.names[i] ?? "", Math.floor(widestName / characterWidth)),
      }),
      Plot.text([`${columns.label} →`], {
        ...{ frameAnchor: "top-right", textAnchor: "end", dy: -headHeight + 10, fontWeight: "600" },
      }),
      Plot.text([`${rows.label} ↓`], {
        ...{ frameAnchor: "top-left", textAnchor: "start", fontWeight: "600" },
        ...{ dx: -marginLeft, dy: -headHeight + 10 },
      }),
      Plot.cell(emptyCells(block), { x: "column", y: "row", fill: "none", stroke: "var(--line)" }),
      Plot.cell(known, { x: "column", y: "row", fill: "fill" }),
      text(
        known.filter(({ isHigh }) => !isHigh),
        "heat-low",
      ),
      text(
        known.filter(({ isHigh }) => isHigh),
        "heat-high",
      ),
    ],
  });
}
