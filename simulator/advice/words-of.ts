import { sentencesOf } from "../language/sentences.ts";

/** Words that are quoted of a query at once. */
const mostWords = 9;

/**
 * Quotes a query, each place another sentence of it, without marks at its end.
 * @example wordsOf("I did it! Shall I go on?")(1) // "Shall I go on"
 */
export function wordsOf(query: string): (at: number) => string {
  const sentences = sentencesOf(query).map((sentence) =>
    sentence
      .replace(/["“”„«»]/gu, "")
      .split(/\s+/)
      .slice(0, mostWords)
      .join(" ")
      .replace(/[\s.,;:!?…-]+$/u, ""),
  );
  return (at) => sentences[at % Math.max(1, sentences.length)] ?? "this";
}
