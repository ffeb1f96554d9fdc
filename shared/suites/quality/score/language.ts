import { countCodePoints } from "../../../measures/code-points.ts";

/** Whether the metrics, which are made for English, can mean anything for a text. */
export type Language = "supported" | "unsupported";

const letters = /\p{L}+/gu;
const otherLetters = /(?:(?!\p{Script=Latin})\p{L})+/gu;

/**
 * `unsupported` for a text most of whose letters are not Latin; a text without letters is `supported`.
 * Other languages in Latin letters are not told from English. Linear.
 * Source: docs/spec/quality.md.
 * @example languageOf("Привет, Ada") // "unsupported"
 */
export function languageOf(text: string): Language {
  return count(text, otherLetters) > count(text, letters) / 2 ? "unsupported" : "supported";
}

function count(text: string, pattern: RegExp): number {
  let total = 0;
  for (const [run] of text.matchAll(pattern)) total += countCodePoints(run);
  return total;
}
