import * as Plot from "@observablehq/plot";
import { cutLabel } from "./cut-label.ts";
import { heatFill, heatStep } from "./heat-map.ts";
import { heatTexts } from "./heat-texts.ts";
import { plotSvg } from "./plot-svg.ts";
import { charactersIn, textWidth } from "./text-width.ts";

/** How often the row's model beats the column's, and the mark of a difference that is no chance. */
export interface WinRates {
  names: readonly string[];
  /** By row and column, 0–1; null on the diagonal. */
  cells: readonly (readonly (WinRate | null)[])[];
}

interface WinRate {
  rate: number;
  mark: string;
}

const rowHeight = 30;
const headHeight = 30;
const cellWidth = 36;
const widestName = 170;

/** Every shade is five points; from this distance to a half on all are the darkest. */
const farthest = 0.35;

const winStep = (rate: number): number => heatStep(Math.abs(rate - 0.5), [0, farthest]);

/** Losses in one hue, wins in the other, stronger with the distance from a half, which has none. */
export function winFill(rate: number): string {
  if (Math.abs(rate - 0.5) < 1e-9) return "var(--surface)";
  return rate < 0.5 ? `var(--cold-${winStep(rate)})` : heatFill(winStep(rate));
}

function winLabel({ names, cells }: WinRates): string {
  const pairs = cells.flatMap((row, i) =>
    row.flatMap((cell, j) => (cell === null ? [] : [{ ...cell, i, j }])),
  );
  const most = pairs.reduce(
    (a, b) => (b.rate > a.rate ? b : a),
    pairs[0] ?? { rate: 0, i: 0, j: 0 },
  );
  const told = pairs.filter(({ i, j, mark }) => i < j && mark !== "").length;
  return `Win rates of ${names.length} models over one another; the highest is ${Math.round(most.rate * 100)}%, of ${names[most.i]} over ${names[most.j]}; ${told} of ${(names.length * (names.length - 1)) / 2} pairs differ. The table below has all values.`;
}

/** A cell for each pair: the row's share of wins in percent, as a number and as a colour. */
export function winRatesSvg(rates: WinRates): string {
  const { names, cells } = rates;
  const most = charactersIn(widestName) - 4;
  const titles = names.map((name, i) => `${i + 1}  ${cutLabel(name, most)}`);
  const marginLeft = 12 + Math.max(...titles.map((title) => textWidth(title)));
  const known = cells.flatMap((row, i) =>
    row.flatMap((cell, j) => (cell === null ? [] : [{ ...cell, i, j, step: winStep(cell.rate) }])),
  );
  return plotSvg(winLabel(rates), {
    width: marginLeft + names.length * cellWidth + 2,
    height: headHeight + names.length * rowHeight + 2,
    ...{ marginLeft, marginRight: 1, marginTop: headHeight, marginBottom: 1 },
    x: { domain: names.map((_, i) => i), label: null, padding: 0.04 },
    y: { domain: names.map((_, i) => i), label: null, padding: 0.06 },
    color: { type: "identity" },
    marks: [
      Plot.axisX({ anchor: "top", tickSize: 0, tickFormat: (i: number) => String(i + 1) }),
      Plot.axisY({
        tickSize: 0,
        tickFormat: (i: number) => titles[i] ?? "",
        textAnchor: "start",
        dx: -(marginLeft - 14),
      }),
      Plot.cell(known, { x: "j", y: "i", fill: ({ rate }) => winFill(rate) }),
      ...heatTexts(known, {
        ...{ x: "j", y: "i", fontSize: 11 },
        text: ({ rate, mark }) => `${Math.round(rate * 100)}${mark}`,
      }),
    ],
  });
}
