import * as Plot from "@observablehq/plot";
import type { MatrixBlock } from "#shared/contracts/report.ts";
import { formatValue } from "../format/number.ts";
import { heatFill, heatStep, heatTexts } from "./heat-map.ts";
import { cornerText, margins } from "./parts/axis-marks.ts";
import { chartWidth, plotSvg } from "./parts/plot-svg.ts";
import { charactersIn, fitLabel, textWidth } from "./parts/wrap-label.ts";

const rowHeight = 30;
const headHeight = 64;
const widestName = 150;
/** Maximum lines of a row's name, and of a column's, whose text is smaller. */
const mostLines = 2;
const mostSmallLines = 4;
/** Narrower cells have no number; the table below has all numbers. */
const leastCellWidth = 36;
/** Narrower cells have smaller text. */
const smallCellWidth = 48;

function rangeOf({ cells, scale }: MatrixBlock): [number, number] {
  if (scale === "share") return [0, 1];
  if (scale === "diverging") return [-1, 1];
  const values = cells.flat().filter((value) => value !== null);
  return values.length === 0 ? [0, 1] : [Math.min(...values), Math.max(...values)];
}

/** Colours diverging values by size, with a hue for each sign. */
function cellOf(block: MatrixBlock, value: number, row: number, column: number) {
  const isDiverging = block.scale === "diverging";
  const step = isDiverging ? heatStep(Math.abs(value), [0, 1]) : heatStep(value, rangeOf(block));
  const fill = isDiverging && value < 0 ? `var(--cold-${step})` : heatFill(step);
  return { row, column, value, fill, step };
}

const emptyCells = ({ cells }: MatrixBlock) =>
  cells.flatMap((its, row) =>
    its.flatMap((value, column) => (value === null ? [{ row, column }] : [])),
  );

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
  const longest = Math.max(0, ...rows.names.map((name) => textWidth(name)));
  const marginLeft = Math.min(widestName, 14 + longest);
  const cellWidth = (chartWidth - marginLeft) / Math.max(1, columns.names.length);
  const isSmall = cellWidth < smallCellWidth;
  const fontSize = isSmall ? 9 : 12;
  const perColumn = charactersIn(cellWidth - 2, fontSize);
  const head = { dy: -headHeight + 10, fontWeight: "600" };
  return plotSvg(matrixLabel(block), {
    height: headHeight + rows.names.length * rowHeight + 2,
    ...margins(headHeight, 1, 1, marginLeft),
    x: { domain: columns.names.map((_, i) => i), label: null, padding: 0.04 },
    y: { domain: rows.names.map((_, i) => i), label: null, padding: 0.06 },
    color: { type: "identity" },
    marks: [
      Plot.axisX({
        anchor: "top",
        tickSize: 0,
        fontSize,
        tickFormat: (i: number) =>
          fitLabel(columns.names[i] ?? "", perColumn, isSmall ? mostSmallLines : mostLines),
      }),
      Plot.axisY({
        tickSize: 0,
        tickFormat: (i: number) =>
          fitLabel(rows.names[i] ?? "", charactersIn(widestName - 8), mostLines),
      }),
      cornerText(`${columns.label} →`, "top-right", head),
      cornerText(`${rows.label} ↓`, "top-left", { ...head, dx: -marginLeft }),
      Plot.cell(emptyCells(block), { x: "column", y: "row", fill: "none", stroke: "var(--line)" }),
      Plot.cell(known, { x: "column", y: "row", fill: "fill" }),
      ...heatTexts(cellWidth < leastCellWidth ? [] : known, {
        x: "column",
        y: "row",
        fontSize,
        text: ({ value }) => formatValue(value, format),
      }),
    ],
  });
}

/** Each shade covers five points; all rates at least this far from a half have the darkest one. */
const farthest = 0.35;

/** Step of a rate, the same from either side of a pair despite rounding. */
const winStep = (rate: number): number => heatStep(Math.abs(rate - 0.5) + 1e-9, [0, farthest]);

const isEven = (rate: number): boolean => Math.abs(rate - 0.5) < 1e-9;

/**
 * The class of a win rate's cell: one hue for losses and one for wins, stronger with the distance from a half; a half
 * has none.
 */
export function winShade(rate: number): string {
  if (isEven(rate)) return "even";
  return `${rate < 0.5 ? "c" : "h"}${winStep(rate)}`;
}

/** The fill colour of a win rate's cell. */
export function winFill(rate: number): string {
  if (isEven(rate)) return "var(--surface)";
  return rate < 0.5 ? `var(--cold-${winStep(rate)})` : heatFill(winStep(rate));
}
