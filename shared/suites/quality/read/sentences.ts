import { words } from "./words.ts";

/** A sentence of a text. */
export interface Sentence {
  /** Trimmed, without the run of marks that ends it. */
  text: string;
  /** That run: `.`, `!`, `?`; empty where the text ends without one. */
  ending: string;
  /** In lower case. */
  words: readonly string[];
}

const marks = /[.!?]+/g;
const onlyDots = /^\.+$/;
const lowerCaseNext = /\s+\p{Ll}/uy;
const space = /\s/;

/**
 * The sentences of a text that hold a word. A run of `.`, `!` and `?` that is followed by whitespace or
 * the end is an end; one of dots alone is none before a lower-case letter, so neither "3.5" nor
 * "e.g. this" is split. Empty text has none. Linear.
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

const sentence = (text: string, ending: string): Sentence => ({
  text: text.trim(),
  ending,
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
