import * as Plot from "@observablehq/plot";
import type { Metric } from "#shared/contracts/metric.ts";
import type { SweepMap } from "#shared/contracts/submissions/sweep.ts";
import type { VariantValue } from "#shared/contracts/submissions/variant.ts";
import { valueText } from "#shared/measures/sweeps/sweep-parameters.ts";

import { formatValue } from "../format/number.ts";
import { cornerText, margins } from "./parts/axis-marks.ts";
import { plotSvg } from "./parts/plot-svg.ts";
import { textWidth } from "./parts/wrap-label.ts";

type Cell = SweepMap["metrics"][number]["rows"][number][number];

/** A metric by two swept parameters. */
export interface HeatMap {
  x: { name: string; values: readonly VariantValue[] };
  y: { name: string; values: readonly VariantValue[] };
  rows: readonly (readonly Cell[])[];
  metric: Pick<Metric, "label" | "format">;
}

/** Colours of the scale. */
const steps = 7;

const rowHeight = 34;
const headHeight = 44;
/** Characters that fit next to the cells. */
const widestLabel = 110;

/** Whether a cell has missing variants, so that its mean is not comparable with its neighbours. */
export const isPartial = ({ variants, of }: Cell): boolean => variants > 0 && variants < of;

/** The ends of a map's colour scale, without partial cells, which have no colour; null if no cell is complete. */
export function heatRange({ rows }: Pick<HeatMap, "rows">): [low: number, high: number] | null {
  const whole = rows.flat().filter((cell) => !isPartial(cell));
  const values = whole.flatMap(({ value }) => (value === null ? [] : [value]));
  return values.length === 0 ? null : [Math.min(...values), Math.max(...values)];
}

/** The index of a value's colour, of seven; the middle one if all values are equal. */
export function heatStep(value: number, [low, high]: readonly [number, number]): number {
  if (high <= low) return 3;
  return Math.min(steps - 1, Math.floor(((value - low) / (high - low)) * steps));
}

export const heatFill = (step: number): string => `var(--heat-${step})`;

function heatLabel({ x, y, rows, metric }: HeatMap): string {
  const range = heatRange({ rows });
  const ends =
    range?.map((end) => formatValue(end, metric.format)).join(" to ") ?? "nothing measured";
  return `${metric.label} by ${y.name} (rows) and ${x.name} (columns): ${ends}. The table below has all values.`;
}

type Placed = Cell & { row: number; column: number };

/** A cell for each pair of values with its mean, as a number and as a colour. */
export function heatMapSvg(map: HeatMap): string {
  const { x, y, rows, metric } = map;
  const range = heatRange(map) ?? [0, 0];
  const cells = rows.flatMap((row, r) => row.map((cell, column) => ({ ...cell, row: r, column })));
  const known = cells.flatMap((cell) => {
    const { value } = cell;
    return value === null || isPartial(cell) ? [] : [{ ...cell, step: heatStep(value, range) }];
  });
  const text = {
    x: "column",
    y: "row",
    text: (cell: Placed) =>
      `${formatValue(cell.value, metric.format)}${isPartial(cell) ? "*" : ""}`,
  };
  const longest = Math.max(...y.values.map((value) => textWidth(valueText(value))));
  const marginLeft = Math.min(widestLabel, 16 + longest);
  const head = { dy: -headHeight + 8, fontWeight: "600" };
  return plotSvg(heatLabel(map), {
    height: headHeight + rows.length * rowHeight,
    ...margins(headHeight, 1, 1, marginLeft),
    x: { domain: x.values.map((_, i) => i), label: null, padding: 0.04 },
    y: { domain: y.values.map((_, i) => i), label: null, padding: 0.06 },
    color: { type: "identity" },
    marks: [
      Plot.axisX({
        anchor: "top",
        tickSize: 0,
        tickFormat: (i: number) => valueText(x.values[i] ?? null),
      }),
      Plot.axisY({ tickSize: 0, tickFormat: (i: number) => valueText(y.values[i] ?? null) }),
      cornerText(`${x.name} →`, "top-right", head),
      cornerText(`${y.name} ↓`, "top-left", { ...head, dx: -marginLeft }),
      Plot.cell(cells, { x: "column", y: "row", fill: "none", stroke: "var(--line)" }),
      Plot.cell(known, { x: "column", y: "row", fill: ({ step }) => heatFill(step) }),
      ...heatTexts(known, text),
      Plot.text(
        cells.filter((cell) => cell.value === null || isPartial(cell)),
        { ...text, className: "heat-none" },
      ),
    ],
  });
}

/** The first of the seven colours that needs light text in the light scheme, dark text in the dark one. */
const firstHigh = 4;

/** Numbers on coloured cells, in the ink that contrasts with the colour. */
export const heatTexts = <Cell extends { step: number }>(
  cells: readonly Cell[],
  options: Omit<Plot.TextOptions, "text"> & { text: (cell: Cell) => string },
): Plot.Markish[] =>
  [
    { its: cells.filter(({ step }) => step < firstHigh), className: "heat-low" },
    { its: cells.filter(({ step }) => step >= firstHigh), className: "heat-high" },
  ].map(({ its, className }) => Plot.text(its, { ...options, className }));
