import * as Plot from "@observablehq/plot";
import type { Estimate } from "#shared/contracts/metric.ts";
import { cutLabel, textWidth } from "./wrap-label.ts";

interface Pixels {
  x: number;
  y: number;
}

/** A model's score and the cost or time of its answers. */
export interface ModelPoint {
  label: string;
  x: number;
  y: number;
  interval: Estimate["interval"];
  /** Interval of `x`. */
  bounds: Estimate["interval"];
  isFrontier: boolean;
}

/** Where a chart draws, in px. */
export interface Drawing {
  toPixels(point: Pixels): Pixels;
  /** The value of the vertical axis at this height. */
  yAt(pixels: number): number;
  /** The area for names. */
  frame: Box;
}

const longestLabel = 28;

const around = ({ x, y }: Pixels, radius: number): Box => ({
  left: x - radius,
  right: x + radius,
  top: y - radius,
  bottom: y + radius,
});

/** The line of a model's interval; empty if it has none. */
function whiskerOf({ x, interval }: ModelPoint, { toPixels }: Drawing): Box[] {
  if (interval === null) return [];
  const [low, high] = interval.map((y) => toPixels({ x, y }));
  if (low === undefined || high === undefined) return [];
  return [{ left: low.x - 2, right: low.x + 2, top: high.y, bottom: low.y }];
}

/** Areas that no name may cover: a model's dot, and on the frontier its interval. */
function obstaclesOf(point: ModelPoint, drawing: Drawing): Box[] {
  const at = drawing.toPixels(point);
  return point.isFrontier ? [around(at, 6), ...whiskerOf(point, drawing)] : [around(at, 4)];
}

interface ModelName {
  point: ModelPoint;
  place: PlacedLabel;
}

const textOf = ({ label }: ModelPoint): string => cutLabel(label, longestLabel);

/**
 * Positions for the names of models: first those on the frontier, which may be above their dots with a line to them,
 * then the others, only next to their dots. A name without room appears only in the table.
 */
export function modelNames(points: readonly ModelPoint[], drawing: Drawing): ModelName[] {
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

/** The middle of the highest name, px; the lowest possible value without names. */
export const highestName = (names: readonly ModelName[], { toPixels }: Drawing): number =>
  Math.min(...names.map(({ point, place }) => toPixels(point).y + place.dy));

/** The names, one mark for each offset from the dots, and lines to names far from their dots. */
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

/** A rectangle in px. */
interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A text near the point that it names. */
interface PlacedLabel {
  /** Offset from the point to the text's anchor, px. */
  dx: number;
  dy: number;
  anchor: "start" | "middle" | "end";
}

interface NamedPoint {
  x: number;
  y: number;
  text: string;
  /** Obstacles for texts that may only be next to their points. */
  near?: { avoids: readonly Box[] };
}

const fontSize = 11;
const textHeight = 12;

/** Names that must be placed are bold, and so this much wider. */
const boldShare = 1.2;

/** Distance above which a text needs a line to its point. */
export const farUp = 20;
/** Distance from a point's middle to the start of its line. */
const dotRadius = 6;

const farRows = [-24, -37, -50, -63, -76, -89, -102];

/**
 * Positions for a text, the best first. To the left of its point, it leaves the space above to points on the right,
 * which may need it for their lines.
 */
const places: readonly PlacedLabel[] = [
  { dx: -7, dy: -11, anchor: "end" },
  { dx: -9, dy: 0, anchor: "end" },
  ...farRows.map((dy) => ({ dx: 3, dy, anchor: "end" as const })),
  { dx: 0, dy: -14, anchor: "middle" },
  { dx: 7, dy: -11, anchor: "start" },
  { dx: 9, dy: 0, anchor: "start" },
  { dx: 7, dy: 12, anchor: "start" },
  ...farRows.map((dy) => ({ dx: -3, dy, anchor: "start" as const })),
];

function boxOf({ x, y, text, near }: NamedPoint, { dx, dy, anchor }: PlacedLabel): Box {
  const width = textWidth(text, fontSize) * (near === undefined ? boldShare : 1);
  const shift = { start: 0, middle: -width / 2, end: -width }[anchor];
  const left = x + dx + shift;
  const top = y + dy - textHeight / 2;
  return { left, top, right: left + width, bottom: top + textHeight };
}

/** The line from a point to a text far above it. */
function lineOf({ x, y }: NamedPoint, { dy }: PlacedLabel): Box[] {
  if (dy > -farUp) return [];
  return [{ left: x - 1, right: x + 1, top: y + dy + textHeight / 2, bottom: y - dotRadius }];
}

const meets = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const isInside = (box: Box, frame: Box): boolean =>
  box.left >= frame.left &&
  box.right <= frame.right &&
  box.top >= frame.top &&
  box.bottom <= frame.bottom;

/**
 * A position for each point's text, in order, where it covers no other text, no line to one, and no obstacle; null if
 * there is none. O(points · (points + obstacles)).
 */
export function placeLabels(
  points: readonly NamedPoint[],
  obstacles: readonly Box[],
  frame: Box,
): (PlacedLabel | null)[] {
  const texts: Box[] = [];
  const lines: Box[] = [];
  return points.map((point) => {
    const found = places.find((place) => {
      if (point.near !== undefined && place.dy < -farUp) return false;
      const box = boxOf(point, place);
      const taken = [...texts, ...lines, ...obstacles, ...(point.near?.avoids ?? [])];
      const isFree = !taken.some((other) => meets(box, other));
      const isClear = lineOf(point, place).every(
        (line) => !texts.some((text) => meets(line, text)),
      );
      return isFree && isClear && isInside(box, frame);
    });
    if (found === undefined) return null;
    texts.push(boxOf(point, found));
    lines.push(...lineOf(point, found));
    return found;
  });
}
