import type { ToolCall } from "../../contracts/answer.ts";
import { type BlockEnd, blockEnds, type Delimiter, delimitersIn } from "./delimiters.ts";
import { Pairs } from "./pairs.ts";
import { trailingCalls, unclosedCalls } from "./written-calls.ts";

/** A model's text, split into thoughts and answer. */
export interface SplitText {
  /** The text to score; null if there are only thoughts. */
  answer: string | null;
  /** Empty for an empty block; null without thoughts. */
  thoughts: string | null;
  /** Calls that the model wrote as text, in its own format. */
  calls: ToolCall[];
}

/**
 * Splits a text by the tags and tokens in it, from left to right: `#at` is the start of the unread part, `#next` the
 * first delimiter in it.
 * @example new Splitter("<think>2 + 2</think>4", false).split().answer // "4"
 */
export class Splitter {
  readonly #text: string;
  readonly #isApart: boolean;
  /** Index after the last non-blank character. */
  readonly #textEnd: number;
  readonly #delimiters: readonly Delimiter[];
  readonly #ends: readonly BlockEnd[];
  readonly #thoughts: string[] = [];
  /** Open answer markers, by family. */
  readonly #unwrapped = new Map<string, number>();
  #at = 0;
  #next = 0;
  /** Whether anything was removed. */
  #isSplit = false;
  /** Whether the last removed part was thoughts. */
  #isBehindThoughts = false;
  /** Closing delimiters of mentions. */
  readonly #mentioned = new Set<number>();
  readonly #pairs: Pairs;
  #calls = "";

  constructor(text: string, isApart: boolean) {
    this.#text = text;
    this.#isApart = isApart;
    this.#textEnd = text.trimEnd().length;
    this.#delimiters = delimitersIn(text);
    this.#ends = blockEnds(this.#delimiters);
    this.#pairs = new Pairs(text, this.#delimiters, this.#ends);
  }

  split(): SplitText {
    this.#takeOpening();
    if (!this.#isSplit && !this.#isApart && this.#takeUnopened()) this.#takeOpening();
    const rest = this.#isSplit || !this.#isApart ? this.#unwrappedRest() : "";
    if (!this.#isSplit) {
      return { answer: this.#text, thoughts: null, calls: trailingCalls(this.#text) };
    }
    const parts = [rest, this.#calls].map((part) => part.trim()).filter((part) => part !== "");
    const answer = parts.join("\n");
    return {
      answer: textOrNull(answer),
      thoughts: joinThoughts(this.#thoughts),
      calls: trailingCalls(answer),
    };
  }

  /** Removes blocks and answer markers at the start of the rest. */
  #takeOpening(): void {
    for (;;) {
      let start = this.#at;
      while (start < this.#text.length && isSpace(this.#text[start]!)) start++;
      const delimiter = this.#delimiters[this.#next];
      if (delimiter === undefined || delimiter.start !== start) return;
      // Without thoughts before it, the marker may be data.
      if (delimiter.family === "response" && !this.#isSplit) return;
      if (delimiter.of === "answer") this.#takeMarker(delimiter);
      else if (delimiter.role === "close") this.#takeThoughts("", delimiter.end);
      else this.#takeBlock(this.#next);
    }
  }

  /** Removes thoughts that began before the text, up to a closing delimiter. */
  #takeUnopened(): boolean {
    for (let i = 0; i < this.#delimiters.length; i++) {
      const { of, role, start, end } = this.#delimiters[i]!;
      if (of === "answer") continue;
      if (role === "open") {
        if (this.#opensBlock(i)) return false;
        this.#mention(i);
      } else if (this.#pairs.closes(i) && !this.#mentioned.has(i)) {
        this.#next = i;
        this.#takeThoughts(this.#text.slice(0, start), end);
        this.#pairs.forget();
        return true;
      }
    }
    return false;
  }

  /**
   * Marks the closing delimiter of an opening one that opens no block as text, too, if it is in the same line, a word
   * of a sentence, in a list item or in code. Does nothing for a closing delimiter, which has no end.
   */
  #mention(i: number): void {
    const { first } = this.#ends[i]!;
    if (first === null) return;
    const { isWord, isListItem, isIndented } = this.#pairs.aroundOf(first);
    const around = this.#pairs.aroundOf(i);
    const isList = isListItem && around.isListItem;
    const isCode = isIndented && around.isIndented;
    const isInLine = this.#pairs.isInLine(i, first);
    if (isInLine || isWord || isList || isCode) this.#mentioned.add(first);
  }

  /** The rest without separate blocks of thoughts and without answer markers. */
  #unwrappedRest(): string {
    const rest = () => this.#text.slice(this.#at);
    if (this.#delimiters[this.#next] === undefined || isJson(rest())) return rest();
    this.#pairs.readFrom(this.#at);
    const pieces: string[] = [];
    while (this.#next < this.#delimiters.length) {
      const i = this.#next;
      const { of, role, start, end } = this.#delimiters[i]!;
      const before = this.#text.slice(this.#at, start);
      if (of === "answer" && this.#marks(i)) {
        pieces.push(before);
        this.#takeMarker(this.#delimiters[i]!);
      } else if (of === "thoughts" && role === "close" && this.#closesAgain(i)) {
        this.#takeUpTo(end, before, pieces);
      } else if (of === "thoughts" && this.#opensBlock(i)) {
        pieces.push(before);
        this.#takeBlock(i);
      } else {
        this.#mention(i);
        this.#next++;
      }
    }
    return pieces.join("") + rest();
  }

  /** Removes thoughts up to a closing delimiter; `before` is one of the pieces if nothing follows. */
  #takeUpTo(end: number, before: string, pieces: string[]): void {
    const isLast = end >= this.#textEnd;
    if (isLast) pieces.push(before);
    this.#takeThoughts(isLast ? "" : before, end);
    if (pieces.every(isBlankText)) this.#takeOpening();
  }

  #takeThoughts(thoughts: string, end: number): void {
    this.#thoughts.push(thoughts);
    this.#isSplit = true;
    this.#isBehindThoughts = true;
    this.#at = end;
    while ((this.#delimiters[this.#next]?.start ?? end) < end) this.#next++;
  }

  #takeMarker({ role, family, end }: Delimiter): void {
    const open = this.#unwrapped.get(family) ?? 0;
    this.#unwrapped.set(family, Math.max(0, open + (role === "open" ? 1 : -1)));
    this.#isSplit = true;
    this.#isBehindThoughts = false;
    this.#at = end;
    this.#next++;
  }

  #takeBlock(i: number): void {
    const { end, isEmpty, family } = this.#delimiters[i]!;
    const last = isEmpty ? i : this.#pairs.endOf(i);
    const response = last === null && family === "THINKING" ? this.#responseBehind(i) : undefined;
    if (isEmpty) this.#takeThoughts("", end);
    else if (last !== null) {
      const { start: to, end: behind } = this.#delimiters[last]!;
      this.#takeThoughts(this.#text.slice(end, to), behind);
    } else if (response !== undefined) {
      this.#takeThoughts(this.#text.slice(end, response), response);
    } else {
      const { thoughts, calls } = unclosedCalls(this.#text.slice(end));
      this.#calls = calls;
      this.#takeThoughts(thoughts, this.#text.length);
    }
  }

  /** Where a special token starts the answer, which also ends thoughts. */
  #responseBehind(i: number): number | undefined {
    for (let k = i + 1; k < this.#delimiters.length; k++) {
      const { family, role, start } = this.#delimiters[k]!;
      if (family === "RESPONSE" && role === "open") return start;
    }
    return undefined;
  }

  /** Whether a closing delimiter without an opening one ends the text after a block. */
  #closesAgain(i: number): boolean {
    if (!this.#isBehindThoughts || this.#mentioned.has(i) || this.#pairs.rangeOf(i) !== null)
      return false;
    const { runsOn, isWord, isListItem, isIndented } = this.#pairs.aroundOf(i);
    const rest = this.#text.slice(this.#delimiters[i]!.end, this.#delimiters[i]!.end + 24);
    const isText = runsOn || isWord || isListItem || isIndented;
    return !isText && !/^\s*\p{Ll}/u.test(rest);
  }

  /** Whether an opening delimiter in the middle of a text begins a separate block. */
  #opensBlock(i: number): boolean {
    const { role, isEmpty } = this.#delimiters[i]!;
    if (role === "close" || this.#pairs.rangeOf(i) !== null) return false;
    const { isLineStart, isBehindSentence, isListItem, runsOn } = this.#pairs.aroundOf(i);
    const last = isEmpty ? i : this.#pairs.endOf(i);
    if (last !== null && this.#pairs.isDraft(i, last)) return true;
    if (isLineStart) return !(runsOn && (last === null || this.#pairs.aroundOf(last).runsOn));
    if (last !== null && !isEmpty) return !this.#pairs.isMention(i, last);
    if (isBehindSentence && !isListItem) return !runsOn;
    return !isEmpty && this.#pairs.opensUnclosed(i);
  }

  /** Whether a marker in the middle of a text wraps an answer. */
  #marks(i: number): boolean {
    const { family, role, end } = this.#delimiters[i]!;
    if (this.#pairs.rangeOf(i) !== null) return false;
    const { isLineStart, isWord, runsOn } = this.#pairs.aroundOf(i);
    if (role === "close") {
      const isMentioned = this.#mentioned.has(i) && isWord;
      const isLast = family !== "response" && end >= this.#textEnd && !isMentioned;
      return isLast || (this.#unwrapped.get(family) ?? 0) > 0;
    }
    if (family === "RESPONSE") return true;
    const { first } = this.#ends[i]!;
    if (family !== "answer" || first === null) return false;
    return isLineStart ? !runsOn : !this.#pairs.isMention(i, first);
  }
}

const isBlankText = (text: string) => text.trim() === "";
const isSpace = (char: string) => char.trim() === "" || char === "\u200b";

/**
 * A text without surrounding blanks; null if nothing remains.
 * @example textOrNull(" ") // null
 */
export const textOrNull = (text: string): string | null =>
  text.trim() === "" ? null : text.trim();

/**
 * Joins thoughts from several places; empty if there are none.
 * @example joinThoughts([" a", "", "b"]) // "a\n\nb"
 */
export const joinThoughts = (thoughts: readonly string[]): string =>
  thoughts
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .join("\n\n");

/**
 * Whether a whole text is JSON, so that nothing in it is mark-up. A text of plain words is not parsed.
 * @example isJson('["<think>"]') // true
 */
export function isJson(text: string): boolean {
  if (!/^\s*[[{"\d]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
