import { z } from "zod";

/** Longest strings that are taken from outside, in characters (UTF-16 units). */
export const bounds = {
  /** Ids and names: of samples, tags, tools, judges. */
  name: 200,
  servedModel: 200,
  /** Names of fields: keys of objects, and each step of a path. */
  fieldName: 500,
  /** Addresses. */
  url: 2_000,
  /** Words about one thing: an error, a refusal, a note on a row, a judge's remark. */
  message: 500,
  /** A prompt: a text of some pages. */
  prompt: 100_000,
  /** What a model said: as much as is read of an endpoint. */
  text: 4 * 1024 * 1024,
  /** Bytes of a request's body. */
  bodyBytes: 25 * 1024 * 1024,
} as const;

/** An id or a name from outside. */
export const nameSchema = z.string().max(bounds.name);

/**
 * Text of at most `max` characters; what is cut off is marked by "…", and no surrogate pair is cut in two. Empty text
 * stays empty. Constant time.
 * @example cutText("abcdef", 4) // "abc…"
 */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = max - 1;
  const isPair = /^[\ud800-\udbff]$/.test(text.charAt(end - 1));
  return `${text.slice(0, isPair ? end - 1 : end)}…`;
}
