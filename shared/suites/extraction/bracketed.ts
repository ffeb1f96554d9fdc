/** The part of a text from its first bracket on. */
export interface Bracketed {
  /** To the matching bracket, or to the end of the text where there is none. */
  text: string;
  closed: boolean;
  /** Deepest nesting of brackets in it. */
  depth: number;
}

/**
 * The outermost `{…}` or `[…]` of `text`: from its first bracket to the one that closes it, brackets
 * within double-quoted strings not counted. Null when there is no bracket. Linear, no recursion.
 * Source: specification of the extraction suite, section 1.
 * @example firstBracketed("see {\"a\": [1]}.") // { text: "{\"a\": [1]}", closed: true, depth: 2 }
 */
export function firstBracketed(text: string): Bracketed | null {
  const start = text.search(/[{[]/);
  if (start < 0) return null;
  const deepest = { now: 0, most: 0 };
  for (let i = start; i < text.length; i++) {
    const char = text[i]!;
    if (char === '"') i = endOfString(text, i);
    else step(deepest, char);
    if (deepest.now === 0)
      return { text: text.slice(start, i + 1), closed: true, depth: deepest.most };
  }
  return { text: text.slice(start), closed: false, depth: deepest.most };
}

function step(depth: { now: number; most: number }, char: string): void {
  if (char === "{" || char === "[") depth.most = Math.max(depth.most, ++depth.now);
  else if (char === "}" || char === "]") depth.now--;
}

/** The index of the closing quote, or the last index where the string never ends. */
function endOfString(text: string, open: number): number {
  let i = open + 1;
  while (i < text.length && text[i] !== '"') i += text[i] === "\\" ? 2 : 1;
  return i;
}
