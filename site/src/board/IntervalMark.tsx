import { raw } from "hono/html";
import type { Estimate } from "#shared/contracts/metric.ts";
import {
  type IntervalScale,
  namedTicks,
  positionOn,
  sideBeyondScale,
} from "../charts/parts/interval-scale.ts";

interface Props {
  /** Hidden from screen readers, because it is printed next to the drawing. */
  estimate: Estimate;
  scale: IntervalScale;
}

const width = 176;
const margin = 14;

/** Arrows for a value beyond an end of the axis. */
const arrows = { below: "10 7 3 12 10 17", above: "166 7 173 12 166 17" };

/** The first path is the grid, the second the interval (see charts.css): a class on each would be a tenth of a row's bytes. */
export const IntervalMark = ({ estimate: { value, interval }, scale }: Props) => {
  const at = (one: number) => positionOn(scale, one, width, margin);
  const grid = namedTicks(scale).map((tick) => `M${at(tick)} 0v24`);
  const beyond = value === null ? null : sideBeyondScale(scale, value);
  /** A line across each end within the axis. */
  const cap = (end: number) => (sideBeyondScale(scale, end) === null ? `M${at(end)} 8v8` : "");
  const line = interval && `M${at(interval[0])} 12H${at(interval[1])}${interval.map(cap).join("")}`;
  const drawn = [
    line === null ? "" : `<path d="${line}"/>`,
    value === null ? "" : `<circle cx="${at(value)}" cy="12" r="3.5"/>`,
  ];
  const marks = beyond ? [`<polygon points="${arrows[beyond]}"/>`] : drawn;
  const lines = (scale.references ?? []).map((one) => `M${at(one.value)} 0v24`).join("");
  const references = lines === "" ? "" : `<g><path d="${lines}"/></g>`;
  const parts = [`<path d="${grid.join("")}"/>`, ...marks, references].join("");
  return raw(`<svg class="interval" viewBox="0 0 ${width} 24" aria-hidden="true">${parts}</svg>`);
};
