import { stemmer } from "stemmer";
import { eng } from "stopword";
import { countCodePoints } from "../../../measures/text/code-points.ts";
import { connectors, furtherStopwords, pronouns } from "./word-lists.ts";

/** Letters, digits and underscores, with apostrophes inside. */
const word = /[\p{L}\p{Nd}_]+(?:'[\p{L}\p{Nd}_]+)*/gu;

/**
 * A text in lower case with straight apostrophes, for searching words and phrases.
 * @example foldCase("It’s") // "it's"
 */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll("’", "'");
}

/**
 * The words of a text in lower case, in order: runs of Unicode letters, digits and underscores, and
 * apostrophes between them. Empty for an empty text. Linear.
 * Source: docs/spec/quality.md, text utilities.
 * @example words("It’s 3.5 m.") // ["it's", "3", "5", "m"]
 */
export function words(text: string): string[] {
  return foldCase(text).match(word) ?? [];
}

/** A phrase next to such a character is part of a longer word. */
const wordCharacter = "[\\p{L}\\p{Nd}_]";

/**
 * An expression that finds any of `phrases` in folded text (`foldCase`) between word boundaries, with any
 * whitespace between its words.
 * @example "and then".match(phrasePattern(["then", "as a result"])) // ["then"]
 */
export function phrasePattern(phrases: readonly string[]): RegExp {
  const any = phrases.map((phrase) => phrase.replaceAll(" ", "\\s+")).join("|");
  return new RegExp(`(?<!${wordCharacter})(?:${any})(?!${wordCharacter})`, "gu");
}

/**
 * Number of occurrences of phrases in a folded text. Linear.
 * @example countPhrases("then, then", phrasePattern(["then"])) // 2
 */
export function countPhrases(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Words up to this length carry no topic. */
const MAX_SHORT = 2;

const letter = /\p{L}/u;

/**
 * A word's form for comparing texts: its Porter stem without apostrophes. Null for a word that carries no topic: a
 * stopword, a word of at most 2 characters, or a word without a letter. `word` must come from `words()`.
 * Source: docs/spec/quality.md, text utilities; Porter 1980.
 * @example contentStem("networks") // "network"
 */
export function contentStem(word: string): string | null {
  if (countCodePoints(word) <= MAX_SHORT || stopwords.has(word) || !letter.test(word)) return null;
  return stemmer(word.replaceAll("'", ""));
}

/**
 * English words that carry no topic, in lower case: the `eng` list of npm `stopword` 3, one-word connectors, pronouns,
 * and the further stopwords of the specification.
 * Source: docs/spec/quality.md, text utilities.
 * @example stopwords.has("the") // true
 */
export const stopwords: ReadonlySet<string> = new Set([
  ...eng,
  ...connectors.filter((connector) => !connector.includes(" ")),
  ...pronouns,
  ...furtherStopwords,
]);
