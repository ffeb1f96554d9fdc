import * as Plot from "@observablehq/plot";
import type { Metric } from "#shared/contracts/metric.ts";
import { formatValue } from "../format/number.ts";
import {
  cornerText,
  logTicks,
  lyingIntervals,
  standingIntervals,
  valuesBeside,
  xName,
  xTickText,
} from "./parts/axis-marks.ts";
import { intervalScale } from "./parts/interval-scale.ts";
import {
  type Drawing,
  highestName,
  type ModelPoint,
  modelNames,
  nameMarks,
} from "./parts/model-names.ts";
import { chartWidth, plotSvg } from "./parts/plot-svg.ts";

/** Models by score and cost or latency. */
export interface Pareto {
  points: readonly ModelPoint[];
  x: Pick<Metric, "label" | "format">;
  y: Pick<Metric, "label" | "format">;
}

/** Height of the frame alone. */
const innerHeight = 242;
const margins = { marginLeft: 46, marginRight: 14, marginBottom: 44 };
/** Space above the frame: at least for the axis name, at most this much for names of crowded models. */
const leastTop = 38;
const mostTop = 120;
/** Height of the axis name, and its distance to the names below. */
const headHeight = 24;

function xScaleOf(points: readonly ModelPoint[]) {
  const xs = points.flatMap(({ x, bounds }) => [x, ...(bounds ?? [])]);
  const [low, high] = [Math.min(...xs), Math.max(...xs)];
  if (isLog(xs)) {
    const domain: [number, number] = [low / 1.15, high * 1.15];
    return { type: "log" as const, domain, ticks: logTicks(...domain) };
  }
  const room = (high - low || 1) * 0.1;
  return { type: "linear" as const, domain: [low - room, high + room], ticks: 5 };
}

function paretoLabel({ points, x, y }: Pareto): string {
  const frontier = points.filter(({ isFrontier }) => isFrontier);
  const named = frontier.map(
    (point) =>
      `${point.label} ${formatValue(point.y, y.format)} at ${formatValue(point.x, x.format)}`,
  );
  return `${y.label} against ${x.label}, ${points.length} models; on the frontier: ${named.join("; ")}`;
}

const boundsOf = (points: readonly ModelPoint[], stroke: string) =>
  lyingIntervals(
    points.map(({ bounds, y }) => ({ interval: bounds, y })),
    ({ y }) => y,
    { stroke, strokeWidth: 1 },
  );

/**
 * Dots with intervals on both axes, the frontier as steps with its models named, and others if there is room next to
 * their dots.
 */
export function paretoSvg(pareto: Pareto): string {
  const { x, y } = pareto;
  const points = pareto.points.toSorted((a, b) => a.x - b.x);
  const frontier = points.filter(({ isFrontier }) => isFrontier);
  const others = points.filter(({ isFrontier }) => !isFrontier);
  const xScale = xScaleOf(points);
  const yScale = intervalScale(points.map(({ y: value, interval }) => ({ value, interval })));
  const widest = drawingOf(xScale, yScale, mostTop);
  const names = modelNames(points, widest);
  const spare = Math.max(0, highestName(names, widest) - headHeight);
  const marginTop = Math.max(leastTop, mostTop - spare);
  const [grid, values] = valuesBeside(y.format, yScale.ticks);
  return plotSvg(paretoLabel({ ...pareto, points }), {
    ...margins,
    marginTop,
    height: marginTop + innerHeight + margins.marginBottom,
    x: { type: xScale.type, domain: xScale.domain, label: null },
    y: { domain: [yScale.min, yScale.max], label: null },
    marks: [
      grid!,
      Plot.axisX({
        ticks: xScale.ticks,
        tickSize: 3,
        // A logarithmic axis would omit some tick texts.
        text: (tick: number) => xTickText(tick, x),
      }),
      values!,
      cornerText(xName(x, xScale.type === "log"), "bottom-right", { dy: 38 }),
      cornerText(`↑ ${y.label}`, "top-left", { dx: -42, dy: 12 - marginTop }),
      standingIntervals(others, "x", { stroke: "var(--line-strong)", strokeWidth: 1 }),
      boundsOf(others, "var(--line-strong)"),
      Plot.dot(others, { x: "x", y: "y", r: 3, fill: "var(--ink-soft)", stroke: "var(--paper)" }),
      Plot.line(frontier, {
        x: "x",
        y: "y",
        curve: "step-after",
        stroke: "var(--accent)",
        strokeWidth: 1.5,
      }),
      standingIntervals(frontier, "x", { stroke: "var(--accent)", strokeWidth: 2 }),
      boundsOf(frontier, "var(--accent)"),
      Plot.dot(frontier, { x: "x", y: "y", r: 5, fill: "var(--accent)", stroke: "var(--paper)" }),
      ...nameMarks(names, drawingOf(xScale, yScale, marginTop)),
    ],
  });
}

/** Maps values to positions on the chart. */
function drawingOf(
  { type, domain }: ReturnType<typeof xScaleOf>,
  { min, max }: { min: number; max: number },
  marginTop: number,
): Drawing {
  const along = (value: number) => (type === "log" ? Math.log(value) : value);
  const [low = 0, high = 1] = domain.map(along);
  const { marginLeft: left, marginRight } = margins;
  const innerWidth = chartWidth - left - marginRight;
  return {
    toPixels: ({ x, y }) => ({
      x: left + ((along(x) - low) / (high - low)) * innerWidth,
      y: marginTop + (1 - (y - min) / (max - min)) * innerHeight,
    }),
    yAt: (pixels) => min + (1 - (pixels - marginTop) / innerHeight) * (max - min),
    frame: { left, top: 18, right: chartWidth, bottom: marginTop + innerHeight },
  };
}

/** Whether an axis of times or costs can be logarithmic: no value is 0. */
export const isLog = (values: readonly number[]): boolean =>
  values.length > 0 && values.every((value) => value > 0);
