import { z } from "zod";
import type { Json } from "./json.ts";

/** Longest strings that are accepted from outside, in characters (UTF-16 units). */
export const bounds = {
  /** Ids and names of samples, tags, tools and judges. */
  name: 200,
  servedModel: 200,
  /** Names of fields: keys of objects, and each step of a path. */
  fieldName: 500,
  /** Addresses. */
  url: 2_000,
  /** A short text about one thing: an error, a refusal, a note on a row, a judge's remark. */
  message: 500,
  /** Text received before a stream broke. */
  received: 2_000,
  /** A prompt: up to a few pages of text. */
  prompt: 100_000,
  /** The output of a model: the maximum that is read from an endpoint. */
  text: 4 * 1024 * 1024,
  /** Bytes of a request's body. */
  bodyBytes: 25 * 1024 * 1024,
  /**
   * JSON values in a document, including nested ones: each takes about 50 bytes parsed, and about 300 while it is
   * scored.
   */
  answerValues: 100_000,
  bodyValues: 500_000,
} as const;

/** An id or a name from outside. */
export const nameSchema = z.string().max(bounds.name);

/**
 * Cuts text to at most `max` characters; a cut text ends in "…", and no surrogate pair is split. Empty text stays
 * empty. Constant time.
 * @example cutText("abcdef", 4) // "abc…"
 */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = max - 1;
  const isPair = /^[\ud800-\udbff]$/.test(text.charAt(end - 1));
  return `${text.slice(0, isPair ? end - 1 : end)}…`;
}

/**
 * Whether a JSON text has more than `most` values: a small text can need much memory when parsed. Counts the
 * characters before values, without parsing. For text that is not JSON the result is undefined. Linear.
 * @example holdsMoreValues("[1, [2]]", 3) // true: two arrays and two numbers
 */
export function holdsMoreValues(text: string, most: number): boolean {
  // Each value takes at least one character, and each except the first a separator.
  if (text.length < 2 * most) return false;
  let values = 1;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === QUOTE) i = endOfString(text, i);
    else if (char === COMMA || char === BRACKET || char === BRACE) values += 1;
    if (values > most) return true;
  }
  return false;
}

const [QUOTE, COMMA, BRACKET, BRACE, BACKSLASH] = [0x22, 0x2c, 0x5b, 0x7b, 0x5c];

/**
 * Position of the quote that closes the string opened at `start`; the text's length if there is none.
 * @example endOfString('"a"', 0) // 2
 */
export function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === QUOTE) return i;
    if (char === BACKSLASH) i += 1;
  }
  return text.length;
}

/** Replaces numbers beyond the range of doubles, such as 1e400: far from any expected number, but valid in JSON. */
const MOST = Number.MAX_VALUE;

/**
 * Limits a value that a model or judge wrote: names longer than `bounds.fieldName` are cut and end in "…", numbers
 * beyond the range of doubles become the largest double. Returns the same value if nothing changes. Recursive, so not
 * for deeply nested values. Linear.
 * @example boundedJson(JSON.parse('{"a": 1e400}')) // { a: 1.7976931348623157e308 }
 */
export function boundedJson(value: Json): Json {
  return isBounded(value) ? value : withinBounds(value);
}

function isBounded(value: Json): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) {
    for (const element of value) if (!isBounded(element)) return false;
    return true;
  }
  for (const name of Object.keys(value)) {
    if (name.length > bounds.fieldName || !isBounded(value[name] as Json)) return false;
  }
  return true;
}

function withinBounds(value: Json): Json {
  if (typeof value === "number") return Math.min(MOST, Math.max(-MOST, value));
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withinBounds);
  const entries = Object.entries(value).map(([name, inner]): [string, Json] => [
    cutText(name, bounds.fieldName),
    withinBounds(inner),
  ]);
  return Object.fromEntries(entries);
}
