import type { Json } from "../../../contracts/json.ts";
import type { TextBlock, Tone } from "../../../contracts/report.ts";
import { countCodePoints } from "../../../measures/code-points.ts";
import { foundMark } from "../../../measures/report/found-mark.ts";
import type { Passage } from "../../../measures/report/passages.ts";
import { cutPlace, type Mark, shownText } from "../../../measures/report/shown-text.ts";
import { decimalForm } from "../score/errors/evidence.ts";
import type { DiagnosedField } from "../score/fields/diagnosed-field.ts";
import { valuePlaces } from "./value-places.ts";

/** Fields whose values are looked for; those that went wrong come first. */
const mostFields = 80;

/** How scoring compares by default: what a run may set otherwise moves no more than a mark. */
const rules = { caseSensitive: false, normalizeWhitespace: true };

const kinds = {
  wanted: { tone: "missed", label: "Expected and not given" },
  instead: { tone: "wrong", label: "Given instead" },
  unasked: { tone: "extra", label: "Given, and not expected" },
  close: { tone: "close", label: "Expected, and partly given" },
  found: { tone: "right", label: "Expected and given" },
} as const satisfies Record<string, { tone: Tone; label: string }>;

/** Which side of a field is looked for as what, gravest first. */
const sought = [
  ["incorrect", "expected", "wanted"],
  ["missed", "expected", "wanted"],
  ["incorrect", "predicted", "instead"],
  ["spurious", "predicted", "unasked"],
  ["partial", "expected", "close"],
  ["exact", "expected", "found"],
] as const satisfies readonly [
  DiagnosedField["category"],
  "expected" | "predicted",
  keyof typeof kinds,
][];

/**
 * The text of a sample with the values of an answer's fields marked where they stand in it, each once and no
 * two over each other; of a long text the parts around the marks. Those that the text writes otherwise are loose.
 * Source: docs/spec/extraction.md, section 8.
 * @example evidenceText("Ada Lovelace, 1815", fields).marks[0]?.label // "Expected and given"
 */
export function evidenceText(text: string, fields: readonly DiagnosedField[]): TextBlock {
  const placesOf = valuePlaces(text, rules);
  const marks: Mark[] = [];
  const isFree = ({ from, to }: Passage) =>
    marks.every((mark) => to <= mark.from || from >= mark.to);
  let looked = 0;
  for (const [category, side, kind] of sought) {
    for (const field of fields) {
      if (field.category !== category || looked >= mostFields) continue;
      looked++;
      const value = field[side] ?? null;
      const place = placesOf(value).find(isFree);
      if (place !== undefined) marks.push(foundMark(text, place, writtenForms(value), kinds[kind]));
    }
  }
  return textExcerpt("Text", text, marks);
}

/** How a value would stand in a text that has it just so. */
function writtenForms(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [decimalForm(value)];
  return Array.isArray(value) ? value.flatMap(writtenForms) : [];
}

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
