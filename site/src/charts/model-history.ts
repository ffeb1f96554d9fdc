import * as Plot from "@observablehq/plot";
import type { Metric } from "#shared/contracts/metric.ts";
import type { HistoryPoint } from "../data/runs/history.ts";
import { formatDate, formatTime } from "../format/date.ts";
import { formatInterval, formatValue } from "../format/number.ts";
import { margins, valuesBeside } from "./parts/axis-marks.ts";
import { intervalScale } from "./parts/interval-scale.ts";
import { plotSvg } from "./parts/plot-svg.ts";

/** A metric of a model's comparable runs over time. */
interface ModelHistory {
  points: readonly (Pick<HistoryPoint, "finishedAt" | "estimate" | "standing"> & {
    drift?: HistoryPoint["drift"];
  })[];
  metric: Pick<Metric, "label" | "format">;
  /** Smallest drop that would be detected as drift, drawn down from the first run's score. */
  drop?: number | undefined;
}

const height = 234;
/** Height of a second line of ticks. */
const lineHeight = 14;

/** Labels are above intervals; the diamond of a drift needs more room. */
const above = {
  x: "at",
  y: ({ high, value }: { high: number | undefined; value: number | null }) => high ?? value,
  text: "label",
};

/** Maximum runs that are named in the chart and its text alternative. */
const mostNamed = 8;

type Point = ModelHistory["points"][number];

const isOutside = ({ standing }: Point): boolean => standing === "above" || standing === "below";

function historyLabel({ points, metric, drop }: ModelHistory): string {
  const moments = runMoments(points.map(({ finishedAt }) => finishedAt));
  const texts = points.map((point, i) => pointText(point, moments[i] ?? "", metric.format));
  const isEnd = (_: string, i: number) => i === 0 || i === points.length - 1;
  const shown = points.length > mostNamed ? texts.filter(isEnd) : texts;
  const outside = points.filter(isOutside).length;
  const left = `${points.length} runs, ${outside} wholly outside the first; first and last `;
  const found =
    drop === undefined ? "" : `; a drop of ${formatValue(drop, metric.format)} would be found`;
  return `${metric.label} by date: ${shown.length < points.length ? left : ""}${shown.join("; ")}${found}`;
}

function pointText(point: Point, moment: string, format: Metric["format"]): string {
  const { estimate, standing } = point;
  const within = estimate.interval ? ` (${formatInterval(estimate.interval, format)})` : "";
  const outside = isOutside(point) ? `, wholly ${standing} the first` : "";
  const mark = point.drift ? `${outside}, drift flagged` : outside;
  return `${moment} ${formatValue(estimate.value, format)}${within}${mark}`;
}

/**
 * Scores as dots on their intervals, at their dates, or in order if dates would overlap. A band shows the first
 * run's interval; runs with an interval wholly outside it are hollow, and named if there are few. A diamond marks a
 * flagged drift.
 */
export function modelHistorySvg(history: ModelHistory): string {
  const { points, metric, drop } = history;
  const labels = points.map((point) => labelOf(point, points.length));
  const axis = runAxis(
    points.map(({ finishedAt }) => finishedAt),
    labels.map((label) => label !== ""),
  );
  const tickText = new Map(axis.ticks.map(({ at, text }) => [at, text]));
  const lower = axis.isByOrder ? lineHeight : 0;
  const dots = points.map((point, i) => ({
    at: axis.at[i],
    value: point.estimate.value,
    low: point.estimate.interval?.[0],
    high: point.estimate.interval?.[1],
    isOutside: isOutside(point),
    isDrift: Boolean(point.drift),
    label: labels[i],
  }));
  const first = points.find(({ standing }) => standing === "first")?.estimate;
  // After a drift, runs are compared with the first one after it.
  const drifted = points.findLastIndex((point) => point.drift);
  const reference = drifted < 0 ? first : (points[drifted + 1] ?? points[drifted])?.estimate;
  const found = dropAt(axis.domain, reference?.value ?? null, drop);
  const scale = intervalScale([
    ...points.map(({ estimate }) => estimate),
    ...found.map(({ to }) => ({ value: to, interval: null })),
  ]);
  const band = first?.interval;
  const whiskers = dots.filter(({ low }) => low !== undefined);
  return plotSvg(historyLabel(history), {
    height: height + lower,
    ...margins(28, 14, 32 + lower, 46),
    x: { type: "linear", domain: axis.domain, label: null },
    y: { domain: [scale.min, scale.max], label: null },
    marks: [
      Plot.rectY(band ? [band] : [], { y1: "0", y2: "1", fill: "var(--surface)" }),
      ...valuesBeside(metric.format, scale.ticks),
      Plot.axisX({
        ticks: [...tickText.keys()],
        tickSize: 3,
        tickFormat: (at: number) => tickText.get(at) ?? "",
      }),
      Plot.ruleX(whiskers, {
        x: "at",
        y1: "low",
        y2: "high",
        stroke: "var(--accent)",
        strokeWidth: 2,
      }),
      Plot.dot(dots, {
        x: "at",
        y: "value",
        r: 4.5,
        stroke: "var(--accent)",
        strokeWidth: 2,
        fill: ({ isOutside }) => (isOutside ? "var(--paper)" : "var(--accent)"),
      }),
      Plot.dot(dots, {
        filter: "isDrift",
        x: "at",
        y: "value",
        r: 9,
        symbol: "diamond2",
        stroke: "var(--warn-line)",
        strokeWidth: 2,
      }),
      // Just inside the frame, so that it is not mistaken for a run.
      Plot.ruleX(found, { x: "at", y1: "from", y2: "to", stroke: "var(--warn-line)" }),
      Plot.ruleY(found, { x1: "left", x2: "right", y: "from", stroke: "var(--warn-line)" }),
      Plot.ruleY(found, { x1: "left", x2: "right", y: "to", stroke: "var(--warn-line)" }),
      Plot.text(dots, { ...above, filter: ({ isDrift }) => !isDrift, dy: -9 }),
      Plot.text(dots, { ...above, filter: "isDrift", dy: -19 }),
    ],
  });
}

/** The bar of the smallest detectable drop, from the reference's score down, near the right edge. */
function dropAt([start, end]: [number, number], from: number | null, drop: number | undefined) {
  if (from === null || drop === undefined) return [];
  const step = 0.01 * (end - start);
  return [{ at: end - 2 * step, left: end - 3 * step, right: end - step, from, to: from - drop }];
}

/** There are always few drifts; other runs are named only if there are few. */
function labelOf(point: Point, count: number): string {
  if (point.drift) return "drift";
  return count <= mostNamed && isOutside(point) ? (point.standing ?? "") : "";
}

/** Positions of runs on an axis, in units of its domain. */
interface RunAxis {
  /** Whether runs are evenly spaced in order, because some would overlap on a time axis. */
  isByOrder: boolean;
  domain: [number, number];
  at: number[];
  /** Ticks of the first run, the last run, and those in between that have room. */
  ticks: { at: number; text: string }[];
}

const day = 86_400_000;

// Shares of the width: a date with its margin, a dot, and a word above a dot.
const tickShare = 0.27;
const dotShare = 0.035;
const wordShare = 0.12;

/**
 * An axis of runs by their end times (ISO, ascending). If two runs or their labels would overlap, the steps are even,
 * unless that leaves less room. Ticks then have two lines, date and time.
 */
export function runAxis(finishedAt: readonly string[], isNamed: readonly boolean[]): RunAxis {
  const times = finishedAt.map((iso) => Date.parse(iso));
  const domain = around(times);
  const isByOrder = isCrowded(times, domain, isNamed);
  const at = isByOrder ? times.map((_, i) => i) : times;
  const ends = isByOrder ? aroundPlaces(times.length) : domain;
  const texts = finishedAt.map((iso) =>
    isByOrder ? `${formatDate(iso)}\n${iso.slice(11, 16)} UTC` : formatDate(iso),
  );
  const ticks = roomyTicks(at, ends).map((i) => ({ at: at[i]!, text: texts[i]! }));
  return { isByOrder, domain: ends, at, ticks };
}

function isCrowded(
  times: readonly number[],
  [from, to]: readonly [number, number],
  isNamed: readonly boolean[],
): boolean {
  const step = 1 / times.length;
  return times.some((time, i) => {
    if (i === 0) return false;
    const wanted = isNamed[i] && isNamed[i - 1] ? wordShare : dotShare;
    return (time - times[i - 1]!) / (to - from) < Math.min(wanted, step / 2);
  });
}

/** Padding on both sides, at least a day, so that no dot touches the frame. */
function around(times: readonly number[]): [number, number] {
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const room = Math.max(day, 0.08 * (last - first));
  return [first - room, last + room];
}

/** Padding for half a date on both sides. */
function aroundPlaces(count: number): [number, number] {
  const room = Math.max(0.5, 0.1 * count);
  return [-room, count - 1 + room];
}

function roomyTicks(at: readonly number[], [from, to]: readonly [number, number]): number[] {
  const room = tickShare * (to - from);
  const last = at.length - 1;
  const ticks: number[] = [];
  at.forEach((its, i) => {
    const isFree = (other: number | undefined) =>
      other === undefined || Math.abs(its - at[other]!) >= room;
    if (isFree(ticks.at(-1)) && (i === last || isFree(last))) ticks.push(i);
  });
  return last < 0 || ticks.includes(last) ? ticks : [...ticks.slice(0, -1), last];
}

/**
 * End times of runs, as short as they can be while distinct: the date if a run is the only one of its day, else with
 * the time, and with seconds if several share a minute.
 */
export function runMoments(finishedAt: readonly string[]): string[] {
  const isAlone = (iso: string, length: number) => {
    const start = iso.slice(0, length);
    return finishedAt.filter((other) => other.startsWith(start)).length === 1;
  };
  return finishedAt.map((iso) => {
    if (isAlone(iso, "2026-11-21".length)) return formatDate(iso);
    if (isAlone(iso, "2026-11-21T08:36".length)) return formatTime(iso);
    return `${formatDate(iso)}, ${iso.slice(11, 19)} UTC`;
  });
}
