import * as Plot from "@observablehq/plot";
import type { Metric } from "#shared/contracts/metric.ts";
import type { HistoryPoint } from "../data/history.ts";
import { formatDate } from "../format/date.ts";
import { formatInterval, formatTick, formatValue } from "../format/number.ts";
import { intervalScale } from "./interval-scale.ts";
import { plotSvg } from "./plot-svg.ts";

/** A metric of a model's comparable runs over time. */
interface ModelHistory {
  points: readonly (Pick<HistoryPoint, "finishedAt" | "estimate" | "standing"> & {
    drift?: HistoryPoint["drift"];
  })[];
  metric: Pick<Metric, "label" | "format">;
}

const day = 86_400_000;
const height = 234;
/** Of the width, what a date takes with the room beside it. */
const tickShare = 0.27;

/** Labels stand above intervals; the diamond of a drift wants more room. */
const above = {
  x: "date",
  y: ({ high, value }: { high: number | undefined; value: number | null }) => high ?? value,
  text: "label",
};

/** Runs that are named in the drawing, and told one by one of it. */
const mostNamed = 8;

type Point = ModelHistory["points"][number];

const isOutside = ({ standing }: Point): boolean => standing === "above" || standing === "below";

function historyLabel({ points, metric }: ModelHistory): string {
  const ends = new Set([points[0], points.at(-1)]);
  const told = points.length > mostNamed ? points.filter((point) => ends.has(point)) : points;
  const shown = told.map((point) => pointText(point, metric.format));
  const outside = points.filter(isOutside).length;
  const left = `${points.length} runs, ${outside} wholly outside the first; first and last `;
  return `${metric.label} by date: ${told.length < points.length ? left : ""}${shown.join("; ")}`;
}

function pointText(point: Point, format: Metric["format"]): string {
  const { finishedAt, estimate, standing } = point;
  const within = estimate.interval ? ` (${formatInterval(estimate.interval, format)})` : "";
  const outside = isOutside(point) ? `, wholly ${standing} the first` : "";
  const mark = point.drift ? `${outside}, drift flagged` : outside;
  return `${formatDate(finishedAt)} ${formatValue(estimate.value, format)}${within}${mark}`;
}

/**
 * Scores as dots on their intervals, at their dates. A band shows the first run's interval; runs whose own
 * lies wholly outside it are hollow, and named while they are few. A diamond stands around a flagged drift.
 */
export function modelHistorySvg(history: ModelHistory): string {
  const { points, metric } = history;
  const dots = points.map((point) => ({
    date: new Date(point.finishedAt),
    value: point.estimate.value,
    ...{ low: point.estimate.interval?.[0], high: point.estimate.interval?.[1] },
    isOutside: isOutside(point),
    isDrift: Boolean(point.drift),
    label: labelOf(point, points.length),
  }));
  const dates = dots.map(({ date }) => date);
  const scale = intervalScale(points.map(({ estimate }) => estimate));
  const domain = datesAround(dates);
  const band = points.find(({ standing }) => standing === "first")?.estimate.interval;
  const whiskers = dots.filter(({ low }) => low !== undefined);
  return plotSvg(historyLabel(history), {
    ...{ height, marginLeft: 46, marginRight: 14, marginTop: 28, marginBottom: 32 },
    x: { type: "utc", domain, label: null },
    y: { domain: [scale.min, scale.max], label: null },
    marks: [
      Plot.rectY(band ? [band] : [], { y1: "0", y2: "1", fill: "var(--surface)" }),
      Plot.gridY({ ticks: scale.ticks, stroke: "var(--line)", strokeOpacity: 1 }),
      Plot.axisY({
        ...{ ticks: scale.ticks, tickSize: 0 },
        tickFormat: (tick: number) => formatTick(tick, metric.format),
      }),
      Plot.axisX({
        ...{ ticks: dateTicks(dates, domain), tickSize: 3 },
        tickFormat: (date: Date) => formatDate(date.toISOString()),
      }),
      Plot.ruleX(whiskers, {
        x: "date",
        y1: "low",
        y2: "high",
        stroke: "var(--accent)",
        strokeWidth: 2,
      }),
      Plot.dot(dots, {
        ...{ x: "date", y: "value", r: 4.5, stroke: "var(--accent)", strokeWidth: 2 },
        fill: ({ isOutside }) => (isOutside ? "var(--paper)" : "var(--accent)"),
      }),
      Plot.dot(dots, {
        ...{ filter: "isDrift", x: "date", y: "value", r: 9, symbol: "diamond2" },
        ...{ stroke: "var(--warn-line)", strokeWidth: 2 },
      }),
      Plot.text(
        dots.filter((dot) => !dot.isDrift),
        { ...above, dy: -9 },
      ),
      Plot.text(
        dots.filter((dot) => dot.isDrift),
        { ...above, dy: -19 },
      ),
    ],
  });
}

/** Drifts are few by themselves; the others are named while runs are. */
function labelOf(point: Point, count: number): string {
  if (point.drift) return "drift";
  return count <= mostNamed && isOutside(point) ? (point.standing ?? "") : "";
}

/** Room at both sides, a day at least, so that no dot stands on the frame. */
function datesAround(dates: readonly Date[]): [Date, Date] {
  const times = dates.map((date) => date.getTime());
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const room = Math.max(day, 0.08 * (last - first));
  return [new Date(first - room), new Date(last + room)];
}

/** The dates of the first and the last run, and of those between that have room beside the others. */
function dateTicks(dates: readonly Date[], [from, to]: readonly [Date, Date]): Date[] {
  const room = tickShare * (to.getTime() - from.getTime());
  const last = dates.at(-1);
  const ticks: Date[] = [];
  for (const date of dates) {
    const before = ticks.at(-1);
    const isFree = (other: Date | undefined) =>
      other === undefined || Math.abs(date.getTime() - other.getTime()) >= room;
    if (isFree(before) && (date === last || isFree(last))) ticks.push(date);
  }
  return last === undefined || ticks.includes(last) ? ticks : [...ticks.slice(0, -1), last];
}
