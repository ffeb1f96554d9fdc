import type { Json } from "../../../contracts/json.ts";
import type { TextBlock, Tone } from "../../../contracts/report.ts";
import { foundMark, type Passage, passagesIn } from "../../../measures/report/show/passages.ts";
import { cutPlace, type Mark, shownText } from "../../../measures/report/show/shown-text.ts";
import { countCodePoints } from "../../../measures/text/code-points.ts";
import type { TextRules } from "../../../measures/text/normalize-text.ts";
import { decimalForm, numberPlace, TextEvidence, ungrouped } from "../score/errors/evidence.ts";
import { monthNames } from "../score/fields/compare-by-rule.ts";
import type { DiagnosedField } from "../score/fields/diagnosed-field.ts";

/** Maximum fields whose values are marked; wrong ones come first. */
const mostFields = 80;

/** The default comparison of scoring; other settings would only change which places are marked. */
const rules = { caseSensitive: false, normalizeWhitespace: true };

const kinds = {
  wanted: { tone: "missed", label: "Expected, but not given" },
  instead: { tone: "wrong", label: "Given instead" },
  unasked: { tone: "extra", label: "Given, but not expected" },
  close: { tone: "close", label: "Expected, and partly given" },
  found: { tone: "right", label: "Expected and given" },
} as const satisfies Record<string, { tone: Tone; label: string }>;

/** Marks for the sides of a field, most severe first. */
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
 * The text of a sample with the values of an answer's fields marked, each once and without overlap; for a long text,
 * the passages around the marks. Values that the text writes differently are marked as loose.
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

/** The forms in which a text would contain exactly this value. */
function writtenForms(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [decimalForm(value)];
  return Array.isArray(value) ? value.flatMap(writtenForms) : [];
}

/** Characters shown: enough to understand a score; a page shows several samples. */
const mostShown = 1_500;
/** Characters around a mark: within these bounds, as many as fit. */
const leastAround = 60;
const mostAround = 400;

const gap = " […] ";

/**
 * A text with its marks: all of a short text, the start of a text without marks, else the pieces around the marks, of
 * which the first given have priority. O(marks²).
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

/** The pieces around marks, in text order and without overlap. */
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

/** Maximum searched text: a page shows only a part of a longer text. */
const longestText = 50_000;
/** Maximum marks of one value: more are not useful. */
const mostPlaces = 20;
/** Maximum elements of an array that are searched for. */
const mostElements = 10;
/** A single character occurs in most texts by chance. */
const shortestForm = 2;

/** A text without digit-group separators, and the original position of each character. */
interface Ungrouped {
  text: string;
  places: readonly number[];
}

/**
 * Places of values in a sample's text, by the same evidence as in scoring: strings, numbers (also with digit-group
 * separators) and elements of arrays; also dates that the text writes in another form, which scoring does not find.
 * Empty for values that the text does not contain, for booleans and nulls, and for single characters. Linear in the
 * text for each value; only its first 50,000 UTF-16 units are searched.
 * Source: docs/spec/extraction.md, section 8.
 * @example valuePlaces("Total: 1,200 EUR", rules)(1200) // [{ from: 7, to: 12 }]
 */
export function valuePlaces(text: string, rules: TextRules): (value: Json) => Passage[] {
  const part = text.slice(0, cutPlace(text, longestText));
  const evidence = new TextEvidence(part, rules);
  const passages = passagesIn(part);
  const spaced = part.replace(/\s/g, " ");
  let bare: Ungrouped | null = null;
  const ofString = (value: string): Passage[] => {
    if (value.trim().length < shortestForm) return [];
    return evidence.holds(value) ? passages(value) : datePlaces(value, part);
  };
  const ofNumber = (value: number): Passage[] => {
    const form = decimalForm(value);
    if (form.length < shortestForm) return [];
    const found = numberPlaces(form, spaced);
    if (found.length > 0) return found;
    bare ??= withoutGroups(spaced);
    return numberPlaces(form, bare.text).map((place) => placeBefore(place, bare!));
  };
  const placesOf = (value: Json): Passage[] => {
    if (typeof value === "string") return ofString(value);
    if (typeof value === "number" && Number.isFinite(value)) return ofNumber(value);
    return Array.isArray(value) ? value.slice(0, mostElements).flatMap(placesOf) : [];
  };
  return placesOf;
}

function numberPlaces(form: string, text: string): Passage[] {
  const found: Passage[] = [];
  let place = numberPlace(form, text, 0);
  while (place !== null && found.length < mostPlaces) {
    found.push(place);
    place = numberPlace(form, text, place.to);
  }
  return found;
}

/** A removed separator differs from the digit that follows it, so positions can be matched character by character. */
function withoutGroups(spaced: string): Ungrouped {
  const text = ungrouped(spaced);
  const places: number[] = [];
  for (let at = 0; at < spaced.length; at++) {
    if (spaced[at] === text[places.length]) places.push(at);
  }
  return { text, places };
}

function placeBefore({ from, to }: Passage, { places }: Ungrouped): Passage {
  return { from: places[from]!, to: places[to - 1]! + 1 };
}

/** Maximum marks of one date: more are not useful. */
const mostDatePlaces = 20;

const isoDate = /^(\d{4})-(\d{2})-(\d{2})(?=$|[T ])/;
/** No letter or digit before it: "13 March" is not "3 March", and "1.3.3.2025" is not a date. */
const begin = String.raw`(?<![\p{L}\p{N}]|\d[./-])`;
const end = String.raw`(?![\p{L}\p{N}]|[./-]\d)`;
/** Not followed by another year. */
const noYear = String.raw`(?!,?\s(?:(?:de|of)\s)?\d{4})`;

/**
 * Where a text writes the day of an ISO 8601 date, or date and time, in another form: "3 March 2025", "March 3rd,
 * 2025", "03.03.25", "3/3/2025" with day or month first, "2025年3月3日"; names of months in English, German, French
 * and Spanish, in any letter case. If no place has the year, places with day and named month only. The first 20 places,
 * in order; empty if the value is not such a date. Linear in the text.
 * @example datePlaces("2025-03-07", "Date: 7 March 2025") // [{ from: 6, to: 18 }]
 */
export function datePlaces(value: string, text: string): Passage[] {
  const [, year = "", month = "", day = ""] = isoDate.exec(value) ?? [];
  const names = monthNames[Number(month) - 1];
  if (names === undefined || Number(day) < 1 || Number(day) > 31) return [];
  const named = namedForms(Number(day), names);
  const full = [...withYear(named, year), ...numberForms(year, Number(month), Number(day))];
  const found = placesOf(full, text);
  if (found.length > 0) return found;
  const yearless = Object.values(named).map((form) => `${form}${end}${noYear}`);
  return placesOf(yearless, text);
}

interface NamedForms {
  dayFirst: string;
  monthFirst: string;
}

function namedForms(day: number, names: readonly string[]): NamedForms {
  const name = `(?:${names.join("|")})\\.?`;
  const its = `0?${day}(?:st|nd|rd|th|er|\\.|º)?`;
  return {
    dayFirst: `${its}\\s?(?:of\\s|de\\s|-)?\\s?${name}`,
    monthFirst: `${name}\\s?-?${its}`,
  };
}

const withYear = ({ dayFirst, monthFirst }: NamedForms, year: string): string[] =>
  [dayFirst, monthFirst].map((form) => `${form}(?:,?\\s|\\s(?:de|of)\\s|-|,)${yearForm(year)}`);

/** Numeric notations, with day or month first, because the order is unknown. */
function numberForms(year: string, month: number, day: number): string[] {
  const [m, d] = [`0?${month}`, `0?${day}`];
  const orders = ["/", "\\.", "-"].flatMap((by) => [
    `${d}${by}\\s?${m}${by}\\s?${yearForm(year)}`,
    `${m}${by}${d}${by}${yearForm(year)}`,
    `${year}${by}${m}${by}${d}`,
  ]);
  return [...orders, `${year}年\\s?${m}月\\s?${d}日`, `${year}${pad(month)}${pad(day)}`];
}

const pad = (part: number): string => String(part).padStart(2, "0");

const yearForm = (year: string): string => `(?:${year}|['’]?${year.slice(2)})`;

function placesOf(forms: readonly string[], text: string): Passage[] {
  const pattern = new RegExp(`${begin}(?:${forms.join("|")})${end}`, "giu");
  const found: Passage[] = [];
  for (const { 0: words, index } of text.matchAll(pattern)) {
    found.push({ from: index, to: index + words.length });
    if (found.length === mostDatePlaces) break;
  }
  return found;
}
