import { contentStem } from "./content-stem.ts";
import { type Sentence, sentences } from "./sentences.ts";

/** A sentence with what its words stand for. */
export interface ReadSentence extends Sentence {
  /** Of each word its content stem, null where it carries no topic. */
  stems: readonly (string | null)[];
}

/** A text as the metrics take it. */
export interface ReadText {
  sentences: readonly ReadSentence[];
  /** In lower case, in order; none where `sentences` is empty. */
  words: readonly string[];
  /** The distinct content stems. */
  stems: ReadonlySet<string>;
}

/**
 * Reads a text once for all metrics: sentences, words and content stems. Linear.
 * Source: docs/spec/quality.md, text utilities.
 * @example readText("Cats sleep.").stems // Set { "cat", "sleep" }
 */
export function readText(text: string): ReadText {
  const known = new Map<string, string | null>();
  const stemOf = (word: string) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const stem = contentStem(word);
    known.set(word, stem);
    return stem;
  };
  const read = sentences(text).map((one) => ({ ...one, stems: one.words.map(stemOf) }));
  const stems = [...known.values()].filter((stem) => stem !== null);
  return { sentences: read, words: read.flatMap((one) => one.words), stems: new Set(stems) };
}
