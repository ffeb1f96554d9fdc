import { contentStem, words } from "./words.ts";

/** A sentence with the stems of its words. */
export interface ReadSentence extends Sentence {
  /** The content stem of each word; null for a word without a topic. */
  stems: readonly (string | null)[];
}

/** A text in the form that the metrics need. */
export interface ReadText {
  sentences: readonly ReadSentence[];
  /** In lower case, in order; empty if `sentences` is. */
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

/** A sentence of a text. */
type Sentence = ReturnType<typeof sentence>;

const marks = /[.!?]+/g;
const onlyDots = /^\.+$/;
const lowerCaseNext = /\s+\p{Ll}/uy;
const space = /\s/;

/**
 * The sentences of a text that contain a word. A run of `.`, `!` and `?` before whitespace or the end ends a sentence,
 * except dots before a lower-case letter, so neither "3.5" nor "e.g. this" is split. Empty for an empty text. Linear.
 * Source: docs/spec/quality.md, text utilities.
 * @example sentences("It grew by 3.5 m. Why?").map(({ text }) => text) // ["It grew by 3.5 m", "Why"]
 */
export function sentences(text: string): Sentence[] {
  const found: Sentence[] = [];
  let from = 0;
  for (const { 0: run, index } of text.matchAll(marks)) {
    if (!isEnd(text, run, index)) continue;
    found.push(sentence(text.slice(from, index), run));
    from = index + run.length;
  }
  found.push(sentence(text.slice(from), ""));
  return found.filter((one) => one.words.length > 0);
}

const sentence = (text: string, ending: string) => ({
  /** Trimmed, without the punctuation that ends it. */
  text: text.trim(),
  /** That punctuation: a run of `.`, `!`, `?`; empty if the text ends without it. */
  ending,
  /** In lower case. */
  words: words(text),
});

function isEnd(text: string, run: string, index: number): boolean {
  const after = index + run.length;
  if (after === text.length) return true;
  if (!space.test(text.charAt(after))) return false;
  if (!onlyDots.test(run)) return true;
  lowerCaseNext.lastIndex = after;
  return !lowerCaseNext.test(text);
}
