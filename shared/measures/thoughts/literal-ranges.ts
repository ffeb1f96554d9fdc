/** A part of a text that is quoted material, such as code. */
export interface LiteralRange {
  start: number;
  end: number;
  /** False for a code fence that runs to the end of the text. */
  isClosed: boolean;
}

/** Inline code is shorter; a longer search for its end would not be linear. */
const longestCode = 1_000;

/**
 * Code fences, inline code and JSON strings in a text, in order: their content is not mark-up of the text. A fence
 * with an info string always opens a new fence, because the previous one was never closed. Strings count only inside
 * brackets and on one line. Linear.
 * Source: docs/spec/extraction.md, section 1: inside a JSON string or a code fence a tag is text.
 * @example literalRanges("use `x`") // [{ start: 4, end: 7, isClosed: true }]
 */
export function literalRanges(text: string, from = 0): LiteralRange[] {
  const ranges: LiteralRange[] = [];
  const scan = { depth: 0 };
  let fence: { start: number; mark: string } | null = null;
  let plainFrom = from;
  for (const { start, end } of linesOf(text, from)) {
    const line = /^ {0,3}(`{3,}|~{3,})([^`]*)$/.exec(text.slice(start, end).trimEnd());
    const [, mark = "", info = ""] = line ?? [];
    if (line === null || !mark.startsWith(fence?.mark ?? "")) continue;
    if (fence !== null && info.trim() === "") {
      ranges.push({ start: fence.start, end, isClosed: true });
      [fence, plainFrom] = [null, end];
      continue;
    }
    addPlain(text, fence?.start ?? plainFrom, start, scan, ranges);
    fence = { start, mark };
  }
  if (fence === null) addPlain(text, plainFrom, text.length, scan, ranges);
  else ranges.push({ start: fence.start, end: text.length, isClosed: false });
  return ranges;
}

/**
 * The range that contains the character at `place`; null if there is none. `ranges` are in order.
 * @example rangeAt([{ start: 4, end: 7, isClosed: true }], 5)?.end // 7
 */
export function rangeAt(ranges: readonly LiteralRange[], place: number): LiteralRange | null {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.end <= place) low = middle + 1;
    else high = middle;
  }
  const range = ranges[low];
  return range !== undefined && range.start <= place ? range : null;
}

function* linesOf(text: string, from: number) {
  for (let start = from; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    yield { start, end };
    start = end + 1;
  }
}

/** Inline code and strings outside fences. */
function addPlain(
  text: string,
  from: number,
  to: number,
  scan: { depth: number },
  ranges: LiteralRange[],
): void {
  for (let i = from; i < to; i++) {
    const char = text[i]!;
    if (char === "\\") i++;
    else if (char === "{" || char === "[") scan.depth++;
    else if (char === "}" || char === "]") scan.depth = Math.max(0, scan.depth - 1);
    else if (char === "`" || (char === '"' && scan.depth > 0)) i = addQuoted(text, i, to, ranges);
  }
}

/** Adds the code or string that starts at `start`, if it is one. Returns the last index that was read. */
function addQuoted(text: string, start: number, to: number, ranges: LiteralRange[]): number {
  const find = text[start] === "`" ? codeFrom : stringFrom;
  const { end, isLiteral } = find(text, start, to);
  if (isLiteral) ranges.push({ start, end, isClosed: true });
  return end - 1;
}

/** Up to a run of the same number of backticks in the same line; null without one. */
function codeFrom(text: string, start: number, to: number) {
  let open = start;
  while (text[open] === "`") open++;
  const runs = /`+|\n/g;
  const rest = text.slice(open, Math.min(to, open + longestCode));
  for (let run = runs.exec(rest); run !== null && run[0] !== "\n"; run = runs.exec(rest)) {
    if (run[0].length === open - start) return { end: open + runs.lastIndex, isLiteral: true };
  }
  return { end: open, isLiteral: false };
}

/** Up to the closing quote in the same line, or to the end of a truncated text. */
function stringFrom(text: string, start: number, to: number) {
  for (let i = start + 1; i < to; i++) {
    const char = text[i];
    if (char === "\\") i++;
    else if (char === '"') return { end: i + 1, isLiteral: true };
    else if (char === "\n") return { end: start + 1, isLiteral: false };
  }
  return to === text.length ? { end: to, isLiteral: true } : { end: start + 1, isLiteral: false };
}
