import { maxDepth } from "./nesting.ts";

/** A part of a text that starts at a bracket. */
export interface Bracketed {
  start: number;
  /** Index after the matching bracket, or the end of the text if there is none. */
  end: number;
  closed: boolean;
  /** Nested deeper than `maxDepth`: its end was not searched. */
  tooDeep: boolean;
}

/** Quotes that open a string, with the quotes that can close it; only the first is JSON's. */
const quotes: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "“": "“”",
  "”": "“”",
  "‘": "‘’",
  "’": "‘’",
};

/** Characters next to a quote that opens or closes a string, ignoring blanks. */
const beforeString = /[{[,:]/;
const behindString = /[}\],:]/;

/**
 * The outermost `{…}` and `[…]` of `text`, in order; the last one may be unclosed. Brackets in strings are ignored,
 * with double, single or curly quotes: a quote opens a string where a name or value can begin, and closes it if the
 * next character can follow a string, so the apostrophe in 'it's' does neither. A bracket that closes an outer one
 * also closes the inner ones. Linear, not recursive.
 * Source: docs/spec/extraction.md, section 1.
 * @example [...bracketed("see {\"a\": [1]}.")] // [{ start: 4, end: 14, closed: true, tooDeep: false }]
 */
export function* bracketed(text: string): Generator<Bracketed> {
  const bracket = /[{[]/g;
  for (let found = bracket.exec(text); found !== null; found = bracket.exec(text)) {
    const piece = pieceFrom(text, found.index);
    yield piece;
    bracket.lastIndex = piece.end;
  }
}

function pieceFrom(text: string, start: number): Bracketed {
  const open: string[] = [];
  let before = "";
  for (let i = start; i < text.length && open.length <= maxDepth; i++) {
    const char = text[i]!;
    if (opensString(char, before)) i = endOfString(text, i);
    else if (char === "{" || char === "[") open.push(char);
    else if (char === "}") close(open, "{");
    else if (char === "]") close(open, "[");
    if (open.length === 0) return { start, end: i + 1, closed: true, tooDeep: false };
    if (!isBlank(char)) before = char;
  }
  return { start, end: text.length, closed: false, tooDeep: open.length > maxDepth };
}

/** Closes the innermost bracket of this kind and all inside it; ignores a bracket without a match. */
function close(open: string[], kind: string): void {
  const at = open.lastIndexOf(kind);
  if (at >= 0) open.length = at;
}

/** A double quote always opens a string: outside of strings it has no other meaning. */
function opensString(char: string, before: string): boolean {
  return char === '"' || (char in quotes && beforeString.test(before));
}

/** The index of the closing quote, or the last index if the string never ends. */
function endOfString(text: string, open: number): number {
  const closing = quotes[text[open]!]!;
  for (let i = open + 1; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (closing.includes(text[i]!) && isClosingQuote(text, i)) return i;
  }
  return text.length;
}

/**
 * Whether the quote at `quote` can close a string: it ends the text, or the next character can follow a string.
 * @example isClosingQuote("{'a': 'it's'}", 9) // false
 */
export function isClosingQuote(text: string, quote: number): boolean {
  let next = quote + 1;
  while (next < text.length && isBlank(text[next]!)) next++;
  return next === text.length || behindString.test(text[next]!);
}

const isBlank = (char: string) => char === " " || char === "\n" || char === "\r" || char === "\t";
