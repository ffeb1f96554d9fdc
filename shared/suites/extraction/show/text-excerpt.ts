import type { TextBlock } from "../../../contracts/report.ts";
import { countCodePoints } from "../../../measures/code-points.ts";
import type { Passage } from "../../../measures/report/passages.ts";
import { cutPlace, type Mark, shownText } from "../../../measures/report/shown-text.ts";

/** Enough to see why an answer scored as it did; a page shows several of them. */
const mostShown = 1_500;
/** Around a mark, within these bounds as many characters as there is room for. */
const leastAround = 60;
const mostAround = 400;

const gap = " […] ";

/**
 * A text with its marks: as a whole where it is short, from its start where nothing is marked, else in pieces
 * around the marks, those given first before others. O(marks²).
 * @example textExcerpt("Text", longText, [{ from: 9000, to: 9005, tone: "good", label: "x" }]).text // " […] …"
 */
export function textExcerpt(title: string, text: string, marks: readonly Mark[]): TextBlock {
  if (text.length <= mostShown || marks.length === 0) {
    return shownText(title, text, { marks, most: mostShown });
  }
  const pieces = piecesAround(text, marks);
  let shown = "";
  let kept = 0;
  const shifted: Mark[] = [];
  for (const { from, to } of pieces) {
    if (from > 0) shown += gap;
    const by = shown.length - from;
    const its = marks.filter((mark) => mark.from >= from && mark.to <= to);
    shifted.push(...its.map((mark) => ({ ...mark, from: mark.from + by, to: mark.to + by })));
    const piece = text.slice(from, to);
    shown += piece;
    kept += countCodePoints(piece);
  }
  const block = shownText(title, shown, { marks: shifted, most: shown.length });
  return { ...block, left: countCodePoints(text) - kept };
}

/** In the order of the text, apart from each other. */
function piecesAround(text: string, marks: readonly Mark[]): Passage[] {
  const marked = marks.reduce((sum, { from, to }) => sum + to - from, 0);
  const room = (mostShown - marked) / (2 * marks.length);
  const around = Math.max(leastAround, Math.min(mostAround, Math.floor(room)));
  let pieces: Passage[] = [];
  for (const { from, to } of marks) {
    const piece = {
      from: cutPlace(text, Math.max(0, from - around)),
      to: cutPlace(text, Math.min(text.length, Math.min(to, from + mostShown) + around)),
    };
    const more = joined([...pieces, piece]);
    if (pieces.length > 0 && lengthOf(more) > mostShown) continue;
    pieces = more;
  }
  return pieces;
}

function joined(pieces: readonly Passage[]): Passage[] {
  const apart: Passage[] = [];
  for (const piece of [...pieces].sort((a, b) => a.from - b.from)) {
    const last = apart.at(-1);
    if (last !== undefined && piece.from <= last.to + gap.length) {
      last.to = Math.max(last.to, piece.to);
    } else apart.push({ ...piece });
  }
  return apart;
}

const lengthOf = (pieces: readonly Passage[]): number =>
  pieces.reduce((sum, { from, to }) => sum + to - from, 0);
