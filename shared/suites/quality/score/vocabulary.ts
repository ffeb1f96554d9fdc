import { countCodePoints } from "../../../measures/text/code-points.ts";
import { commonWords } from "../read/common-words.gen.ts";
import { stopwords } from "../read/words.ts";

/** Words up to this length are not sophisticated. */
const MAX_PLAIN = 6;

/** A word that occurs more often than this is repeated. */
const MAX_OCCURRENCES = 3;

/** Vocabulary of a response: shares 0–1 and the counts behind them. */
export interface Vocabulary {
  /** (diversity + sophistication + repetition) / 3. */
  score: number;
  diversity: number;
  sophistication: number;
  /** 1 if no word is repeated. */
  repetition: number;
  distinctWords: number;
  sophisticatedWords: number;
  /** Occurrences of words that occur more than 3 times and are not stopwords. */
  repeatedWords: number;
}

/**
 * Vocabulary of a response, 0–1: the mean of diversity = distinct / all words,
 * sophistication = words of more than 6 characters that are not common / all words and repetition =
 * 1 − occurrences of words that occur more than 3 times (except stopwords) / all words. All 0 without words. Linear.
 * Source: docs/spec/quality.md, vocabulary.
 * @example vocabulary(["photosynthesis"]).score // 1
 */
export function vocabulary(words: readonly string[]): Vocabulary {
  const occurrences = new Map<string, number>();
  for (const word of words) occurrences.set(word, (occurrences.get(word) ?? 0) + 1);
  let sophisticatedWords = 0;
  let repeatedWords = 0;
  for (const [word, times] of occurrences) {
    if (isSophisticated(word)) sophisticatedWords += times;
    if (times > MAX_OCCURRENCES && !stopwords.has(word)) repeatedWords += times;
  }
  const counts = { distinctWords: occurrences.size, sophisticatedWords, repeatedWords };
  const n = words.length;
  if (n === 0) return { score: 0, diversity: 0, sophistication: 0, repetition: 0, ...counts };
  const diversity = occurrences.size / n;
  const sophistication = sophisticatedWords / n;
  const repetition = 1 - repeatedWords / n;
  const score = (diversity + sophistication + repetition) / 3;
  return { score, diversity, sophistication, repetition, ...counts };
}

function isSophisticated(word: string): boolean {
  return countCodePoints(word) > MAX_PLAIN && !commonWords.has(word);
}
