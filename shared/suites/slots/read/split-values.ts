const closers: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };
const openers: ReadonlySet<string> = new Set(Object.values(closers));

/**
 * The values of a text, split at commas and semicolons outside brackets; trimmed, empty ones left out.
 * A bracket that has no partner encloses nothing. Linear.
 * Source: docs/spec/slots.md, data.
 * @example splitValues("tea, ramen (hot, spicy); :( rain") // ["tea", "ramen (hot, spicy)", ":( rain"]
 */
export function splitValues(text: string): string[] {
  const values: string[] = [];
  const ends = bracketEnds(text);
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    const end = ends.get(i);
    if (end !== undefined) i = end;
    else if (i === text.length || text[i] === "," || text[i] === ";") {
      const value = text.slice(start, i).trim();
      if (value !== "") values.push(value);
      start = i + 1;
    }
  }
  return values;
}

/** Where each bracket that has a partner is closed; one that closes an outer one leaves those within alone. */
function bracketEnds(text: string): Map<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  const count = new Map<string, number>();
  const countOf = (kind: string, change: number) =>
    count.set(kind, (count.get(kind) ?? 0) + change);
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (openers.has(char)) {
      open.push(i);
      countOf(char, 1);
    }
    const kind = closers[char];
    if (kind === undefined || !count.get(kind)) continue;
    let at = open.pop()!;
    for (; text[at] !== kind; at = open.pop()!) countOf(text[at]!, -1);
    countOf(kind, -1);
    ends.set(at, i);
  }
  return ends;
}
