import { maxDepth } from "./nesting.ts";

/** A part of a text from a bracket on. */
export interface Bracketed {
  start: number;
  /** Behind the matching bracket, or the end of the text where there is none. */
  end: number;
  closed: boolean;
  /** Nested deeper than `maxDepth`: then its end was not looked for. */
  tooDeep: boolean;
}

/** Quotes that open a string, and those that close what they opened; of these only the first is JSON's. */
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
 * The outermost `{…}` and `[…]` of `text`, one after the other; the last one may be unclosed. Brackets
 * within strings don't count, whether in double, single or curly quotes: a quote opens a string where a name or
 * value can begin, and closes it where a character follows that can come after a string, so the
 * apostrophe in 'it's' does neither. A bracket that closes an outer one closes the inner ones. Linear,
 * no recursion.
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
  for (let i = start; i < text.length; i++) {
    const char = text[i]!;
    if (opensString(char, before)) i = endOfString(text, i);
    else if (char === "{" || char === "[") open.push(char);
    else if (char === "}" || char === "]") close(open, char === "}" ? "{" : "[");
    if (open.length === 0) return { start, end: i + 1, closed: true, tooDeep: false };
    if (open.length > maxDepth) break;
    if (!isBlank(char)) before = char;
  }
  return { start, end: text.length, closed: false, tooDeep: open.length > maxDepth };
}

/** Closes the innermost bracket of this kind and all within it; a bracket without one is passed over. */
function close(open: string[], kind: string): void {
  const at = open.lastIndexOf(kind);
  if (at >= 0) open.length = at;
}

/** A double quote always does where it is met: outside of a string it has no other meaning. */
function opensString(char: string, before: string): boolean {
  return char === '"' || (char in quotes && beforeString.test(before));
}

/** The index of the closing quote, or the last index where the string never ends. */
function endOfString(text: string, open: number): number {
  const closing = quotes[text[open]!]!;
  for (let i = open + 1; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (closing.includes(text[i]!) && isClosingQuote(text, i)) return i;
  }
  return text.length;
}

/**
 * Whether the quote at `quote` can close a string: the text ends there, or something follows that may follow a
 * string.
 * @example isClosingQuote("{'a': 'it's'}", 9) // false
 */
export function isClosingQuote(text: string, quote: number): boolean {
  let next = quote + 1;
  while (next < text.length && isBlank(text[next]!)) next++;
  return next === text.length || behindString.test(text[next]!);
}

const isBlank = (char: string) => char === " " || char === "\n" || char === "\r" || char === "\t";
