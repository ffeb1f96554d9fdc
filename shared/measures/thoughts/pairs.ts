import { type BlockEnd, type Delimiter, type Surroundings, surroundings } from "./delimiters.ts";
import { type LiteralRange, literalRanges, rangeAt } from "./literal-ranges.ts";

/** Words between two mentioned tags (`<think> and </think>`), or the first word after one. */
const connector =
  /^(?:\s*(?:[,;:)&|+/]|[.!?…]\s|和|与|及|或|と|や)|\s+(?:and|or|und|oder|et|ou|y|tags?|tokens?|blocks?|elements?|markers?|opens?|starts|begins|marks)(?![\p{L}\p{N}]))/u;
/** A placeholder, such as `…`. */
const placeholder = /^\s*[\p{P}]+\s*$/u;
/** Longer than either of them. */
const LONGEST_CONNECTOR = 24;

/**
 * Distinguishes pairs of tags that mark thoughts or an answer from pairs that a text only mentions. Indices refer to
 * `delimiters`.
 *
 * A tag of thoughts that opens the text or a line begins a block. In the middle of a line, a complete pair is either a
 * block or a _mention_, which is text. The text after the closing tag decides (of several pairs in a row: after the
 * last one):
 * - The sentence continues, in lower case or with its punctuation: a mention (`the tags <think>a</think> are text`).
 * - The answer begins, with JSON, a number, a capital or a new line, or the text ends: a block
 *   (`Sure, <think>maybe 3</think> {"a": 1}`).
 *
 * Further rules, in their order:
 * - A pair with an object inside and another object after it is a block, since a draft must not be scored.
 * - A pair in quotation marks, parentheses or indented code is a mention.
 * - Tags in two items of a list are mentions. Data in lower case may follow a pair that begins an item.
 * - In a script without upper case, a letter after the pair continues the sentence, unless a sentence, a colon or a
 *   comma ends before the pair.
 * - Tags that are words of a sentence each are mentions: only a connecting word, a mark or a placeholder is between
 *   them (`<think> and </think>`); or they are in different lines, and the sentence continues after the first; or the
 *   closing one alone has blanks around it.
 *
 * A pair of `<answer>` tags in the middle of a line is unwrapped by the same rules, except the first. An unclosed
 * opening tag begins a block if a sentence ends before it and none continues after it; within a sentence, if a word
 * follows it without a space, or an object follows anywhere. A closing tag without an opening one ends thoughts that
 * began before the text, or after the previous block (`<think>a</think>b</think>4`).
 * Source: docs/spec/extraction.md, section 1: in a sentence a tag is text.
 * @example new Pairs(text, delimiters, blockEnds(delimiters)).isMention(0, 1)
 */
export class Pairs {
  readonly #text: string;
  readonly #delimiters: readonly Delimiter[];
  readonly #ends: readonly BlockEnd[];
  /** Index after the last non-blank character. */
  readonly #textEnd: number;
  /** By pair: the closing delimiter of the last of the pairs in a row. */
  readonly #lasts: number[] = [];
  readonly #breaks: Finder;
  readonly #braces: Finder;
  /** Facts about the unread part: its start, its literals, and the text around its delimiters. */
  #part: { from: number; ranges: readonly LiteralRange[]; around: Surroundings[] } | null = null;

  constructor(text: string, delimiters: readonly Delimiter[], ends: readonly BlockEnd[]) {
    this.#text = text;
    this.#delimiters = delimiters;
    this.#ends = ends;
    this.#textEnd = text.trimEnd().length;
    this.#breaks = new Finder(text, "\n");
    this.#braces = new Finder(text, "{");
  }

  /** Clears cached surroundings and literals, because the text before them was removed. */
  forget(): void {
    this.#part = null;
  }

  /** Computes surroundings and literals after the text before `from` was removed. */
  readFrom(from: number): void {
    this.forget();
    this.#partFrom(from);
  }

  /** The delimiter that ends a block: the outermost of nested ones, unless that is text of the answer. */
  endOf(i: number): number | null {
    const { first, outer } = this.#ends[i]!;
    if (first === null || outer === null || outer === first) return first;
    this.#partFrom(this.#delimiters[first]!.end);
    return this.closes(outer) ? outer : first;
  }

  /** Cached, so that nested blocks take no longer than the text. */
  #partFrom(from: number) {
    this.#part ??= { from, ranges: literalRanges(this.#text, from), around: [] };
    return this.#part;
  }

  /** The text directly around a delimiter. */
  aroundOf(i: number): Surroundings {
    const { from, around } = this.#partFrom(0);
    around[i] ??= surroundings(this.#text, this.#delimiters[i]!, from);
    return around[i];
  }

  /** The code or JSON string that contains a delimiter; null if there is none. */
  rangeOf(i: number): LiteralRange | null {
    return rangeAt(this.#partFrom(0).ranges, this.#delimiters[i]!.start);
  }

  /** Whether a closing delimiter is not just text. */
  closes(i: number): boolean {
    if (this.rangeOf(i)?.isClosed) return false;
    const { runsOn, isBehindSentence, isListItem } = this.aroundOf(i);
    return !runsOn || (isBehindSentence && !isListItem);
  }

  /** Whether two delimiters are in the same line. */
  isInLine(i: number, last: number): boolean {
    return this.#breaks.from(this.#delimiters[i]!.end) > this.#delimiters[last]!.start;
  }

  /** Whether a pair contains an object and another object follows. */
  isDraft(i: number, last: number): boolean {
    const { end } = this.#delimiters[i]!;
    const { start } = this.#delimiters[last]!;
    const isHeld = this.#braces.from(end) < start && this.#braces.last > start;
    return isHeld && !this.#isInnerPair(i, last);
  }

  /** Whether an unclosed opening delimiter, in a sentence or a list item, begins a block. */
  opensUnclosed(i: number): boolean {
    const { isQuoted, runsOn, opensWord } = this.aroundOf(i);
    return !isQuoted && !runsOn && (opensWord || this.#braces.last > this.#delimiters[i]!.end);
  }

  /** Whether a pair in the middle of a line is part of a sentence. */
  isMention(i: number, last: number): boolean {
    const around = this.aroundOf(i);
    if (around.isQuoted || (around.isIndented && !around.isBehindSentence)) return true;
    if (this.#isInnerPair(i, last)) return true;
    if (around.isListItem && this.aroundOf(last).isListItem) return true;
    return this.#runsOnBehind(i, last) || this.#areWords(i, last);
  }

  /** Whether the two delimiters of a pair are single words of a text. */
  #areWords(i: number, last: number): boolean {
    const { end } = this.#delimiters[i]!;
    const { start, end: behindEnd } = this.#delimiters[last]!;
    const { runsOn, isPadded, isLineEnd, isBehindSentence, isListItem } = this.aroundOf(i);
    const isNewSentence = isBehindSentence && !isListItem;
    const closing = this.aroundOf(last);
    const inner = this.#text.slice(end, Math.min(start, end + LONGEST_CONNECTOR));
    if (!isNewSentence && end + inner.length === start && placeholder.test(inner)) return true;
    if (this.isInLine(i, last)) {
      if ((runsOn || !isNewSentence) && connector.test(inner)) return true;
    } else if (runsOn) {
      const isApart = isNewSentence || isLineEnd || behindEnd >= this.#textEnd;
      return closing.isWord || !isApart;
    }
    return !isNewSentence && closing.isWord && !closing.isPadded && !isPadded;
  }

  /** Whether the closing delimiter belongs to a later opening one, of an example or a block. */
  #isInnerPair(i: number, last: number): boolean {
    const inner = last - 1;
    if (inner <= i || this.#delimiters[inner]!.role !== "open") return false;
    if (this.#delimiters[inner]!.family !== this.#delimiters[i]!.family) return false;
    const range = this.rangeOf(last);
    return this.aroundOf(i).runsOn || (range?.isClosed === true && range === this.rangeOf(inner));
  }

  /** Whether a sentence continues after a pair and the pairs that directly follow it. */
  #runsOnBehind(i: number, last: number): boolean {
    const { isBehindSentence, isIntroduced, isListItem } = this.aroundOf(i);
    if (isBehindSentence && !isListItem) return this.aroundOf(last).runsOn;
    const { mayRunOn, isBeforeWord, isBeforeCaseless } = this.aroundOf(this.#lastInRow(last));
    // In a list item, the text after thoughts may begin in lower case, such as data.
    if (isListItem) return isBeforeWord ? this.aroundOf(i).runsOn : mayRunOn;
    return mayRunOn || (isBeforeCaseless && !isIntroduced);
  }

  /** The closing delimiter of the last of several pairs in a row, with only blanks between. */
  #lastInRow(last: number): number {
    const row = [last];
    for (let end = last; this.#lasts[end] === undefined; row.push(end)) {
      const next = this.#delimiters[end + 1];
      const gap = next && this.#text.slice(this.#delimiters[end]!.end, next.start);
      const to = next?.role === "open" ? this.#ends[end + 1]!.first : null;
      if (to === null || gap === undefined || !/^[ \t]*$/.test(gap)) break;
      end = to;
    }
    const final = this.#lasts[row.at(-1)!] ?? row.at(-1)!;
    for (const one of row) this.#lasts[one] = final;
    return final;
  }
}

/** The next index of a character in a text; linear in total if indexes are requested in order. */
class Finder {
  readonly #text: string;
  readonly #char: string;
  readonly last: number;
  #from = 0;
  #found = -1;

  constructor(text: string, char: string) {
    this.#text = text;
    this.#char = char;
    this.last = text.lastIndexOf(char);
  }

  /** The length of the text if there is none. */
  from(place: number): number {
    if (place < this.#from || place > this.#found) {
      const found = this.#text.indexOf(this.#char, place);
      this.#found = found < 0 ? this.#text.length : found;
      this.#from = place;
    }
    return this.#found;
  }
}
