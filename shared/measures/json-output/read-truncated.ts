import { isClosingQuote } from "./bracketed.ts";

/** What the grammar allows next. */
type Next = "value" | "value or end" | "name" | "name or end" | "colon" | "comma or end";

/** A string, number or literal of the text. */
interface Token {
  /** Index after the token. */
  end: number;
  /** End of the part that is kept; null if the token is incomplete. */
  keptUpTo: number | null;
  /** Whether it is a string that the end of the text cuts off. */
  isCut: boolean;
}

/**
 * The JSON of the complete part of `text`, a truncated JSON object or array (RFC 8259). Omits a member whose name or
 * value is incomplete. A string as the last value is kept up to the cut, without half an escape or half a surrogate
 * pair. Open objects and arrays are closed, or omitted if they contain nothing complete. Nothing is added. Null if
 * nothing is complete; undefined if the text is not the beginning of an object or array, or is whole JSON. `loose`
 * also accepts comments, trailing commas, unquoted names, strings in single quotes or with line breaks, and Python
 * literals, and keeps them unchanged: for a text that is repaired afterwards. Linear.
 * Source: docs/spec/extraction.md, section 1, a truncated text.
 * @example closeTruncated('{"a": ["x", "y/') // '{"a": ["x", "y/"]}'
 */
export function closeTruncated(text: string, loose = false): string | null | undefined {
  const reader = new Reader(text, loose);
  return reader.read() ? reader.closed() : undefined;
}

class Reader {
  readonly #text: string;
  readonly #loose: boolean;
  #at = 0;
  #next: Next = "value";
  /** The closing brackets of open objects and arrays, outermost first. */
  readonly #closers: string[] = [];
  /** Where the last kept value ends, the quote that closes it, and the number of open brackets there. */
  #kept = { upTo: 0, quote: "", depth: 0 };

  constructor(text: string, loose: boolean) {
    this.#text = text;
    this.#loose = loose;
  }

  /** Whether the whole text begins an object or array and leaves it open. */
  read(): boolean {
    this.#skipBlanks();
    while (this.#at < this.#text.length) {
      if (!this.#step(this.#text[this.#at]!) || this.#closers.length === 0) return false;
      this.#skipBlanks();
    }
    return this.#closers.length > 0;
  }

  /** The complete part with its brackets closed; null if there is none. */
  closed(): string | null {
    const { upTo, quote, depth } = this.#kept;
    if (depth === 0) return null;
    const closers = this.#closers.slice(0, depth).reverse().join("");
    return this.#text.slice(0, upTo) + quote + closers;
  }

  #step(char: string): boolean {
    switch (char) {
      case "{":
        return this.#open("}", "name or end");
      case "[":
        return this.#open("]", "value or end");
      case "}":
      case "]":
        return this.#close(char);
      case ",":
        return this.#pass("comma or end", this.#closers.at(-1) === "}" ? "name" : "value");
      case ":":
        return this.#pass("colon", "value");
      default:
        return this.#token(char);
    }
  }

  #open(closer: string, next: Next): boolean {
    this.#closers.push(closer);
    return this.#next.startsWith("value") && this.#go(this.#at + 1, next);
  }

  #close(char: string): boolean {
    const mayEnd = this.#next.endsWith("or end") || (this.#loose && this.#isBehindComma(char));
    if (!mayEnd || this.#closers.pop() !== char) return false;
    this.#keep(this.#at + 1, "");
    return this.#go(this.#at + 1, "comma or end");
  }

  /** A comma may precede a closing bracket; a colon may not. */
  #isBehindComma(closer: string): boolean {
    return this.#next === (closer === "}" ? "name" : "value");
  }

  #pass(wanted: Next, next: Next): boolean {
    return this.#next === wanted && this.#go(this.#at + 1, next);
  }

  #token(char: string): boolean {
    const isString = char === '"' || (this.#loose && char === "'");
    const isName = this.#next.startsWith("name");
    if (isName ? !isString && !this.#loose : !this.#next.startsWith("value")) return false;
    const read = isString ? stringAt : isName ? bareNameAt : wordAt;
    const token = read(this.#text, this.#at, this.#loose);
    if (token === null) return false;
    if (!isName && token.keptUpTo !== null) this.#keep(token.keptUpTo, token.isCut ? char : "");
    return this.#go(token.end, isName ? "colon" : "comma or end");
  }

  #keep(upTo: number, quote: string): void {
    this.#kept = { upTo, quote, depth: this.#closers.length };
  }

  #go(at: number, next: Next): true {
    this.#at = at;
    this.#next = next;
    return true;
  }

  #skipBlanks(): void {
    do {
      while (/[ \t\n\r]/.test(this.#text[this.#at] ?? "")) this.#at++;
    } while (this.#loose && this.#skipComment());
  }

  /** A comment cut off by the end of the text extends to the end. */
  #skipComment(): boolean {
    const opening = this.#text.slice(this.#at, this.#at + 2);
    if (opening !== "//" && opening !== "/*") return false;
    const closing = opening === "//" ? "\n" : "*/";
    const end = this.#text.indexOf(closing, this.#at + 2);
    this.#at = end < 0 ? this.#text.length : end + closing.length;
    return true;
  }
}

const wholeEscape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
/** Parts of an escape that the end of the text may leave. */
const halfEscape = /\\(?:u[\da-fA-F]{0,3})?$/y;

/** The string whose opening quote is at `start`; null if it is invalid. */
function stringAt(text: string, start: number, loose: boolean): Token | null {
  const quote = text.charCodeAt(start);
  let lastEscape = { start: -1, end: -1 };
  let at = start + 1;
  while (at < text.length) {
    const char = text.charCodeAt(at);
    if (char === quote && (!loose || isClosingQuote(text, at))) {
      return { end: at + 1, keptUpTo: at + 1, isCut: false };
    }
    if (char < 0x20 && !loose) return null;
    if (char !== 0x5c) {
      at++;
      continue;
    }
    const end = endOf(wholeEscape, text, at);
    if (end === null) break;
    lastEscape = { start: at, end };
    at = end;
  }
  if (at < text.length && endOf(halfEscape, text, at) === null) return null;
  return { end: text.length, keptUpTo: withoutHalfPair(text, at, lastEscape), isCut: true };
}

/** `end`, or the start of a high surrogate right before it, written directly or as an escape. */
function withoutHalfPair(
  text: string,
  end: number,
  lastEscape: { start: number; end: number },
): number {
  const isEscaped = lastEscape.end === end;
  const last = isEscaped ? text.slice(lastEscape.start, end) : text.slice(end - 1, end);
  const isHigh = isEscaped ? /^\\u[dD][89abAB]/.test(last) : /^[\ud800-\udbff]/.test(last);
  return isHigh ? end - last.length : end;
}

const bareName = /[A-Za-z_$][\w$]*/y;

/** The unquoted name at `start`; null if there is none. */
function bareNameAt(text: string, start: number): Token | null {
  const end = endOf(bareName, text, start);
  return end === null ? null : { end, keptUpTo: null, isCut: false };
}

const word = /[-+.\w]+/y;
const wholeWord = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
const pythonWord = /^(?:True|False|None)$/;
/** Parts of a literal, or of an incomplete number, that the end of the text may leave. */
const halfWord =
  /^(?:t|tr|tru|f|fa|fal|fals|n|nu|nul|-|-?(?:0|[1-9]\d*)(?:\.|(?:\.\d+)?[eE][+-]?))$/;
const halfPythonWord = /^(?:T|Tr|Tru|F|Fa|Fal|Fals|N|No|Non)$/;

/** The number or literal at `start`; null if there is none. */
function wordAt(text: string, start: number, loose: boolean): Token | null {
  const end = endOf(word, text, start);
  if (end === null) return null;
  const found = text.slice(start, end);
  if (wholeWord.test(found) || (loose && pythonWord.test(found))) {
    return { end, keptUpTo: end, isCut: false };
  }
  const isHalf = halfWord.test(found) || (loose && halfPythonWord.test(found));
  return isHalf && end === text.length ? { end, keptUpTo: null, isCut: false } : null;
}

function endOf(part: RegExp, text: string, at: number): number | null {
  part.lastIndex = at;
  return part.test(text) ? part.lastIndex : null;
}
