import { textWidth } from "./text-width.ts";

/** A rectangle in px. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A text near the point that it names. */
export interface PlacedLabel {
  /** From the point to the text's anchor, px. */
  dx: number;
  dy: number;
  anchor: "start" | "middle" | "end";
}

interface NamedPoint {
  x: number;
  y: number;
  text: string;
  /** Stands beside its point or not at all, and covers none of these either. */
  near?: { avoids: readonly Box[] };
}

const fontSize = 11;
const textHeight = 12;

/** Names that have to be placed are bold, and so much wider. */
const boldShare = 1.2;

/** Further up than this a text needs a line to its point. */
export const farUp = 20;
/** From a point's middle to where its line begins. */
const dotRadius = 6;

const farRows = [-24, -37, -50, -63, -76, -89, -102];

/**
 * Where a text may stand, the best place first. Left of its point it leaves the room above to the points on the
 * right, which may need it for their lines.
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
 * A place for each point's text, in their order, where it covers no other text, no line to one, and no
 * obstacle; null for a text that has no such place. O(points · (points + obstacles)).
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
