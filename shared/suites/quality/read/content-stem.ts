import { stemmer } from "stemmer";
import { countCodePoints } from "../../../measures/code-points.ts";
import { stopwords } from "./stopwords.ts";

/** Words of at most so many characters carry no topic. */
const MAX_SHORT = 2;

const letter = /\p{L}/u;

/**
 * What a word stands for when texts are compared: its stem (Porter), apostrophes dropped; null for a
 * word that carries no topic, which is a stopword, has at most 2 characters or no letter. `word` is one
 * of `words`.
 * Source: docs/spec/quality.md, text utilities; Porter 1980.
 * @example contentStem("networks") // "network"
 */
export function contentStem(word: string): string | null {
  if (countCodePoints(word) <= MAX_SHORT || stopwords.has(word) || !letter.test(word)) return null;
  return stemmer(word.replaceAll("'", ""));
}
