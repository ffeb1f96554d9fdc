import type { ToolCall } from "../../contracts/answer.ts";
import {
  type BlockEnd,
  blockEnds,
  type Delimiter,
  delimitersIn,
  type Surroundings,
  surroundings,
} from "./delimiters.ts";
import { type LiteralRange, literalRanges, rangeAt } from "./literal-ranges.ts";
import { trailingCalls, unclosedCalls } from "./written-calls.ts";

/** A text that a model wrote, split into what it thought and what it answered. */
export interface SplitText {
  /** What may be scored; null where there are thoughts alone. */
  answer: string | null;
  /** Empty for a block that holds none; null where nothing marks any. */
  thoughts: string | null;
  /** Calls that the model wrote out, in its own format. */
  calls: ToolCall[];
}

/**
 * Splits a text by the tags and tokens in it, from left to right: `#at` is where what is not yet read begins, `#next`
 * the first delimiter in it.
 * @example new Splitter("<think>2 + 2</think>4", false).split().answer // "4"
 */
export class Splitter {
  readonly #text: string;
  readonly #isApart: boolean;
  /** Behind the last character that is no blank. */
  readonly #textEnd: number;
  readonly #delimiters: readonly Delimiter[];
  readonly #ends: readonly BlockEnd[];
  readonly #thoughts: string[] = [];
  /** Markers of the answer that are open, by family. */
  readonly #unwrapped = new Map<string, number>();
  #at = 0;
  #next = 0;
  /** Whether anything was removed. */
  #isSplit = false;
  #calls = "";
  /** What is known of the part that is read: from where it is, its literals, and what is around its delimiters. */
  #part: { from: number; ranges: readonly LiteralRange[]; around: Surroundings[] } | null = null;

  constructor(text: string, isApart: boolean) {
    this.#text = text;
    this.#isApart = isApart;
    this.#textEnd = text.trimEnd().length;
    this.#delimiters = delimitersIn(text);
    this.#ends = blockEnds(this.#delimiters);
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

  /** Blocks, and markers of the answer, that open what is left. */
  #takeOpening(): void {
    for (;;) {
      let start = this.#at;
      while (start < this.#text.length && isSpace(this.#text[start]!)) start++;
      const delimiter = this.#delimiters[this.#next];
      if (delimiter === undefined || delimiter.start !== start) return;
      // It may be data, unless thoughts came before.
      if (delimiter.family === "response" && !this.#isSplit) return;
      if (delimiter.of === "answer") this.#takeMarker(delimiter);
      else if (delimiter.role === "close") this.#takeThoughts("", delimiter.end);
      else this.#takeBlock(this.#next);
    }
  }

  /** Thoughts that began before the text, up to a closing delimiter. */
  #takeUnopened(): boolean {
    let lineEnd = -1;
    for (let i = 0; i < this.#delimiters.length; i++) {
      const { of, role, start, end } = this.#delimiters[i]!;
      if (of === "answer") continue;
      if (role === "close") {
        if (!this.#closes(i)) continue;
        this.#next = i;
        this.#takeThoughts(this.#text.slice(0, start), end);
        this.#part = null;
        return true;
      }
      if (this.#opensBlock(i)) return false;
      // What is text opens no block, but in the same line it is closed as text, too.
      if (lineEnd < end) lineEnd = this.#lineEnd(end);
      const { first } = this.#ends[i]!;
      if (first !== null && this.#delimiters[first]!.start < lineEnd) i = first;
    }
    return false;
  }

  #lineEnd(from: number): number {
    const end = this.#text.indexOf("\n", from);
    return end < 0 ? this.#text.length : end;
  }

  /** The rest without separate blocks of thoughts and without markers of the answer. */
  #unwrappedRest(): string {
    const rest = () => this.#text.slice(this.#at);
    if (this.#delimiters[this.#next] === undefined || isJson(rest())) return rest();
    this.#part = null;
    this.#partFrom(this.#at);
    const pieces: string[] = [];
    while (this.#next < this.#delimiters.length) {
      const delimiter = this.#delimiters[this.#next]!;
      const before = this.#text.slice(this.#at, delimiter.start);
      if (delimiter.of === "answer" && this.#marks(this.#next)) {
        pieces.push(before);
        this.#takeMarker(delimiter);
      } else if (delimiter.of === "thoughts" && this.#opensBlock(this.#next)) {
        pieces.push(before);
        this.#takeBlock(this.#next);
      } else this.#next++;
    }
    return pieces.join("") + rest();
  }

  #takeThoughts(thoughts: string, end: number): void {
    this.#thoughts.push(thoughts);
    this.#isSplit = true;
    this.#at = end;
    while ((this.#delimiters[this.#next]?.start ?? end) < end) this.#next++;
  }

  #takeMarker({ role, family, end }: Delimiter): void {
    const open = this.#unwrapped.get(family) ?? 0;
    this.#unwrapped.set(family, Math.max(0, open + (role === "open" ? 1 : -1)));
    this.#isSplit = true;
    this.#at = end;
    this.#next++;
  }

  #takeBlock(i: number): void {
    const { end, isEmpty, family } = this.#delimiters[i]!;
    const last = isEmpty ? i : this.#endOf(i);
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

  /** Where a special token says that the answer begins, which also ends thoughts. */
  #responseBehind(i: number): number | undefined {
    for (let k = i + 1; k < this.#delimiters.length; k++) {
      const { family, role, start } = this.#delimiters[k]!;
      if (family === "RESPONSE" && role === "open") return start;
    }
    return undefined;
  }

  /** The delimiter that ends a block: the outermost of nested ones, unless that is text of the answer. */
  #endOf(i: number): number | null {
    const { first, outer } = this.#ends[i]!;
    if (first === null || outer === null || outer === first) return first;
    this.#partFrom(this.#delimiters[first]!.end);
    return this.#closes(outer) ? outer : first;
  }

  /** Kept where it is known, so that blocks in blocks cost no more than the text. */
  #partFrom(from: number) {
    this.#part ??= { from, ranges: literalRanges(this.#text, from), around: [] };
    return this.#part;
  }

  #aroundOf(i: number): Surroundings {
    const { from, around } = this.#partFrom(0);
    around[i] ??= surroundings(this.#text, this.#delimiters[i]!, from);
    return around[i];
  }

  #rangeOf(i: number): LiteralRange | null {
    return rangeAt(this.#partFrom(0).ranges, this.#delimiters[i]!.start);
  }

  /** Whether a closing delimiter is one, and no text. */
  #closes(i: number): boolean {
    if (this.#rangeOf(i)?.isClosed) return false;
    const { runsOn, isBehindSentence } = this.#aroundOf(i);
    return !runsOn || isBehindSentence;
  }

  /** Whether an opening delimiter in the middle of a text begins a separate block. */
  #opensBlock(i: number): boolean {
    const { role, isEmpty } = this.#delimiters[i]!;
    if (role === "close" || this.#rangeOf(i) !== null) return false;
    const { isLineStart, isBehindSentence, runsOn } = this.#aroundOf(i);
    if (!isLineStart && (runsOn || !isBehindSentence)) return false;
    const last = isEmpty ? i : this.#endOf(i);
    const goesOn = last === null ? runsOn : this.#aroundOf(last).runsOn;
    return isLineStart ? !(runsOn && goesOn) : !goesOn;
  }

  /** Whether a marker in the middle of a text wraps an answer. */
  #marks(i: number): boolean {
    const { family, role, end } = this.#delimiters[i]!;
    if (this.#rangeOf(i) !== null) return false;
    const { isLineStart, runsOn } = this.#aroundOf(i);
    if (role === "close") {
      const isLast = family !== "response" && end >= this.#textEnd;
      return isLast || (this.#unwrapped.get(family) ?? 0) > 0;
    }
    const isOwn = family === "answer" && isLineStart && !runsOn;
    return family === "RESPONSE" || (isOwn && this.#ends[i]!.first !== null);
  }
}

const isSpace = (char: string) => char.trim() === "" || char === "\u200b";

/**
 * A text without blanks around it; null where there is no more to it.
 * @example textOrNull(" ") // null
 */
export const textOrNull = (text: string): string | null =>
  text.trim() === "" ? null : text.trim();

/**
 * Thoughts from several places as one text; empty for none.
 * @example joinThoughts([" a", "", "b"]) // "a\n\nb"
 */
export const joinThoughts = (thoughts: readonly string[]): string =>
  thoughts
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .join("\n\n");

/**
 * Whether a text is JSON as a whole, so that nothing in it is mark-up. A text of words alone is not parsed.
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
