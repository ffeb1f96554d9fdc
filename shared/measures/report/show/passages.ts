import { wordsPlace } from "../../text/within-tokens.ts";
import type { Mark } from "./shown-text.ts";

/** A range of a text, in UTF-16 units. */
export interface Passage {
  from: number;
  to: number;
}

/** Characters that copies often replace: kinds of quotation marks and dashes. */
const alike: Readonly<Record<string, RegExp>> = {
  "'": /[\u2018\u2019\u201a\u201b\u2032`]/u,
  '"': /[\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb]/u,
  "-": /[\u2010-\u2015\u2212]/u,
};
const blank = /\s/u;
/** Emphasis marks and invisible characters. */
const nothing = /[*_\u00ad\u200b-\u200d\u2060\ufeff]/u;
const trimmings = /^[\s"'.,;:!?()[\]-]+|[\s"'.,;:!?()[\]-]+$/gu;
const ellipsis = /\.{3,}|\u2026|\[\.\.\.\]/u;
/** Maximum places searched for one passage: more marks don't help readers. */
const mostPlaces = 20;

/** A text without the characters that copies change, with the original index of each letter. */
interface Plain {
  text: string;
  /** For each UTF-16 unit the start of its letter; at the end, the end of the last letter. */
  places: number[];
}

/**
 * Finds passages in a text; the text is read once. Matches whole words; ignores letter case, runs of blanks, emphasis
 * marks, and kinds of quotation marks and dashes. Returns the first 20 places in order; for a passage with gaps (… or
 * ...) its parts, at the first place where they follow each other. Empty if it does not occur. Linear in the text for
 * each passage.
 * @example passagesIn("You can, Ada.")("you CAN") // [{ from: 0, to: 7 }]
 */
export function passagesIn(text: string): (passage: string) => Passage[] {
  const whole = plain(text);
  return (passage) => {
    const pieces = passage.split(ellipsis).flatMap((piece) => {
      const trimmed = plain(piece).text.replace(trimmings, "");
      return trimmed === "" ? [] : [trimmed];
    });
    return pieces.length === 1 ? everywhere(pieces[0]!, whole) : inOrder(pieces, whole);
  };
}

function everywhere(piece: string, whole: Plain): Passage[] {
  const found: Passage[] = [];
  let at = wordsPlace(piece, whole.text, 0);
  while (at >= 0 && found.length < mostPlaces) {
    found.push(passageAt(at, piece, whole));
    at = wordsPlace(piece, whole.text, at + piece.length);
  }
  return found;
}

function inOrder(pieces: readonly string[], whole: Plain): Passage[] {
  const found: Passage[] = [];
  let from = 0;
  for (const piece of pieces) {
    const at = wordsPlace(piece, whole.text, from);
    if (at < 0) return [];
    found.push(passageAt(at, piece, whole));
    from = at + piece.length;
  }
  return found;
}

function passageAt(at: number, piece: string, { places }: Plain): Passage {
  return { from: places[at]!, to: places[at + piece.length]! };
}

/** Letter by letter, to keep the indexes. */
function plain(text: string): Plain {
  const letters: string[] = [];
  const places: number[] = [];
  let end = 0;
  let isAfterBlank = false;
  let at = 0;
  for (const char of text) {
    const begin = at;
    at += char.length;
    if (nothing.test(char)) continue;
    const isBlank = blank.test(char);
    if (isBlank && isAfterBlank) continue;
    const letter = isBlank ? " " : plainLetter(char);
    for (let unit = 0; unit < letter.length; unit++) places.push(begin);
    letters.push(letter);
    isAfterBlank = isBlank;
    end = at;
  }
  return { text: letters.join(""), places: [...places, end] };
}

function plainLetter(char: string): string {
  if (char <= "\u007f") return char === "`" ? "'" : char.toLowerCase();
  const same = Object.entries(alike).find(([, kinds]) => kinds.test(char));
  return same === undefined ? char.normalize("NFKC").toLowerCase() : same[0];
}

/**
 * A mark at a place of a text found by one of several forms. It is loose if the text there equals none of them
 * exactly: it differs in case, blanks, quotation marks, digit separators or date format. Loose without forms. Linear
 * in the forms.
 * @example foundMark("ADA", { from: 0, to: 3 }, ["Ada"], { tone: "good", label: "found" }).isLoose // true
 */
export function foundMark(
  text: string,
  place: Passage,
  forms: readonly string[],
  mark: Pick<Mark, "tone" | "label">,
): Mark {
  const words = text.slice(place.from, place.to);
  const isVerbatim = forms.some((form) => form.includes(words));
  return { ...place, ...mark, ...(isVerbatim ? {} : { isLoose: true }) };
}
