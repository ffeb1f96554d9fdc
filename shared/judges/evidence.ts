import { wordsPlace } from "../measures/text/within-tokens.ts";

/** Longest first, so that one kind of quotation mark is not parsed as part of another. */
const marks = /[\u2018\u2019\u201a\u201b\u2032`]/gu;
const doubleMarks = /[\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb]/gu;
const dashes = /[\u2010-\u2015\u2212]/gu;
const invisible = /[\u00ad\u200b-\u200d\u2060\ufeff]/gu;
/** Characters around a quotation that do not belong to it. */
const trimmings = /^[\s"'*_.,;:!?()[\]-]+|[\s"'*_.,;:!?()[\]-]+$/gu;
const ellipsis = /\.{3,}|\u2026|\[\.\.\.\]/gu;
/** A passage in quotation marks inside a description. */
const quotedPassage =
  /["\u201c\u201e\u00ab]([^"\u201c\u201d\u201e\u00ab\u00bb]+)["\u201d\u201c\u00bb]/gu;

/**
 * Whether quotations occur in a text; the text is read once. Ignores letter case, kinds of quotation marks and
 * dashes, emphasis marks and runs of blanks, because judges change them when they copy. All parts of a quotation with
 * gaps (… or ...) must occur, in order. Only whole words match. An empty quotation never occurs. Linear in the text
 * for each quotation.
 * Source: docs/spec/memory.md, judges.
 * @example occursIn("You can do it, Ada.")("“you can … Ada”") // true
 */
export function occursIn(text: string): (quotation: string) => boolean {
  const whole = plain(text);
  return (quotation) => {
    const pieces = quotation
      .split(ellipsis)
      .map((piece) => plain(piece).replace(trimmings, ""))
      .filter((piece) => piece !== "");
    let from = 0;
    for (const piece of pieces) {
      const at = wordsPlace(piece, whole, from);
      if (at < 0) return false;
      from = at + piece.length;
    }
    return pieces.length > 0;
  };
}

function plain(text: string): string {
  return text
    .normalize("NFKC")
    .replace(invisible, "")
    .replace(marks, "'")
    .replace(doubleMarks, '"')
    .replace(dashes, "-")
    .replace(/[*_]+/gu, "")
    .replace(/\s+/gu, " ")
    .toLowerCase();
}

/**
 * The passages of a description in double quotation marks.
 * @example quotedPassages('It says "never mind".') // ["never mind"]
 */
export function quotedPassages(description: string): string[] {
  return [...description.matchAll(quotedPassage)].map(([, passage]) => passage!);
}

/** Supported evidence, and the number of invented pieces. */
interface CheckedEvidence<Item> {
  kept: Item[];
  invented: number;
}

/**
 * Keeps the items whose quotations all occur.
 * @example keepSupported(["hi"], occursIn("Hi."), (item) => [item]).kept // ["hi"]
 */
export function keepSupported<Item>(
  items: readonly Item[],
  occurs: (quotation: string) => boolean,
  quotationsOf: (item: Item) => readonly string[],
): CheckedEvidence<Item> {
  const kept = items.filter((item) => quotationsOf(item).every(occurs));
  return { kept, invented: items.length - kept.length };
}
