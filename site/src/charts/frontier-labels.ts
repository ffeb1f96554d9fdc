import * as Plot from "@observablehq/plot";
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

const cut = (label: string): string =>
  label.length <= longestLabel ? label : `${label.slice(0, longestLabel - 1)}…`;

const around = ({ x, y }: Pixels, radius: number): Box => ({
  ...{ left: x - radius, right: x + radius, top: y - radius, bottom: y + radius },
});

/** What a name may not cover: a model's dot, and on the frontier its interval. */
function obstaclesOf(point: ParetoPoint, { toPixels }: Drawing): Box[] {
  const at = toPixels(point);
  if (!point.isFrontier) return [around(at, 4)];
  if (point.interval === null) return [around(at, 6)];
  const [bottom, top] = point.interval.map((end) => toPixels({ x: point.x, y: end }).y);
  const whisker = { left: at.x - 2, right: at.x + 2, top: top ?? at.y, bottom: bottom ?? at.y };
  return [around(at, 6), whisker];
}

/** A model of the frontier with the place of its name. */
interface FrontierName {
  point: ParetoPoint;
  place: PlacedLabel;
}

/** Places for the names of the frontier's models; one without room is left to the table. */
export function frontierNames(points: readonly ParetoPoint[], drawing: Drawing): FrontierName[] {
  const obstacles = points.flatMap((point) => obstaclesOf(point, drawing));
  const frontier = points.filter(({ isFrontier }) => isFrontier);
  const named = frontier.map((point) => ({ ...drawing.toPixels(point), text: cut(point.label) }));
  const placed = placeLabels(named, obstacles, drawing.frame);
  return frontier.flatMap((point, i) => {
    const place = placed[i];
    return place ? [{ point, place }] : [];
  });
}

/** The middle of the highest name, px; as low as can be where there is none. */
export const highestName = (names: readonly FrontierName[], { toPixels }: Drawing): number =>
  Math.min(...names.map(({ point, place }) => toPixels(point).y + place.dy));

/** The names, those far from their dots with a line to them. */
export function frontierMarks(names: readonly FrontierName[], drawing: Drawing): Plot.Markish[] {
  return names.flatMap(({ point, place: { dx, dy, anchor } }) => {
    const text = Plot.text([point], {
      ...{ x: "x", y: "y", dx, dy, textAnchor: anchor, text: () => cut(point.label) },
      ...{ fontSize: 11, fontWeight: "600", fill: "var(--ink)" },
      ...{ stroke: "var(--paper)", strokeWidth: 3 },
    });
    return dy < -farUp ? [lineTo(point, dy, drawing), text] : [text];
  });
}

function lineTo(point: ParetoPoint, dy: number, { toPixels, yAt }: Drawing): Plot.Markish {
  const { y } = toPixels(point);
  return Plot.ruleX([point], {
    ...{
      x: "x",
      y1: yAt(y - 6),
      y2: yAt(y + dy + 6),
      stroke: "var(--ink-soft)",
      strokeWidth: 0.75,
    },
  });
}
