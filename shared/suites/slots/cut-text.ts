import { isPair } from "../../measures/code-points.ts";

/**
 * The text, after `maxLength` UTF-16 units replaced by `…`, no pair cut in half; the result is well-formed
 * where the text is.
 * @example cutText("abcd", 2) // "ab…"
 */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const end = isPair(text, maxLength - 1) ? maxLength - 1 : maxLength;
  return `${text.slice(0, end)}…`;
}
