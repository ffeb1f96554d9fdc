import * as Plot from "@observablehq/plot";
import { cutLabel } from "./cut-label.ts";
import type { ParetoPoint } from "./pareto-point.ts";
import { type Box, farUp, type PlacedLabel, placeLabels } from "./place-labels.ts";

interface Pixels {
  x: number;
  y: number;
}

/** Where a chart draws, in px. */
export interface Drawing {
  toPixels(point: Pixels): Pixels;
  /** What the upright axis has at this height. */
  yAt(pixels: number): number;
  /** Where names may stand. */
  frame: Box;
}

const longestLabel = 22;

const around = ({ x, y }: Pixels, radius: number): Box => ({
  left: x - radius,
  right: x + radius,
  top: y - radius,
  bottom: y + radius,
});

/** A model's interval; none where there is none. */
function whiskerOf({ x, interval }: ParetoPoint, { toPixels }: Drawing): Box[] {
  if (interval === null) return [];
  const [low, high] = interval.map((y) => toPixels({ x, y }));
  if (low === undefined || high === undefined) return [];
  return [{ left: low.x - 2, right: low.x + 2, top: high.y, bottom: low.y }];
}

/** What no name may cover: a model's dot, and on the frontier its interval. */
function obstaclesOf(point: ParetoPoint, drawing: Drawing): Box[] {
  const at = drawing.toPixels(point);
  return point.isFrontier ? [around(at, 6), ...whiskerOf(point, drawing)] : [around(at, 4)];
}

/** A model with the place of its name. */
interface ModelName {
  point: ParetoPoint;
  place: PlacedLabel;
}

const textOf = ({ label }: ParetoPoint): string => cutLabel(label, longestLabel);

/**
 * Places for the names of models: those of the frontier first, which may stand above their dots with a line to
 * them, the others only beside theirs. One without room is left to the table.
 */
export function modelNames(points: readonly ParetoPoint[], drawing: Drawing): ModelName[] {
  const obstacles = points.flatMap((point) => obstaclesOf(point, drawing));
  const whiskers = points.flatMap((point) => whiskerOf(point, drawing));
  const ordered = [
    ...points.filter(({ isFrontier }) => isFrontier),
    ...points.filter(({ isFrontier }) => !isFrontier),
  ];
  const named = ordered.map((point) => ({
    ...drawing.toPixels(point),
    text: textOf(point),
    ...(!point.isFrontier && { near: { avoids: whiskers } }),
  }));
  const placed = placeLabels(named, obstacles, drawing.frame);
  return ordered.flatMap((point, i) => {
    const place = placed[i];
    return place ? [{ point, place }] : [];
  });
}

/** The middle of the highest name, px; as low as can be where there is none. */
export const highestName = (names: readonly ModelName[], { toPixels }: Drawing): number =>
  Math.min(...names.map(({ point, place }) => toPixels(point).y + place.dy));

/** The names, those that lie alike beside their dots as one mark, and lines to those far from theirs. */
export function nameMarks(names: readonly ModelName[], drawing: Drawing): Plot.Markish[] {
  const far = names.filter(({ place: { dy } }) => dy < -farUp);
  const alike = Map.groupBy(names, ({ point: { isFrontier }, place: { dx, dy, anchor } }) =>
    [isFrontier, dx, dy, anchor].join(),
  );
  return [linesTo(far, drawing), ...[...alike.values()].map(namesAlike)];
}

function namesAlike(names: readonly ModelName[]): Plot.Markish {
  const [first] = names;
  if (first === undefined) return null;
  const { dx, dy, anchor } = first.place;
  return Plot.text(
    names.map(({ point }) => point),
    {
      x: "x",
      y: "y",
      dx,
      dy,
      textAnchor: anchor,
      text: textOf,
      ...(first.point.isFrontier
        ? { fontSize: 11, fontWeight: "600", fill: "var(--ink)" }
        : { fontSize: 11, fill: "var(--ink-soft)" }),
      stroke: "var(--paper)",
      strokeWidth: 3,
    },
  );
}

const linesTo = (names: readonly ModelName[], { toPixels, yAt }: Drawing): Plot.Markish =>
  Plot.ruleX(names, {
    x: ({ point }) => point.x,
    y1: ({ point }) => yAt(toPixels(point).y - 6),
    y2: ({ point, place }) => yAt(toPixels(point).y + place.dy + 6),
    stroke: "var(--ink-soft)",
    strokeWidth: 0.75,
  });
