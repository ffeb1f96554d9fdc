/**
 * How many words two texts share: the F1 of the two **sets** of whitespace-separated tokens, 2·|A∩B| / (|A|+|B|),
 * 0–1, symmetric. 0 if one or both have no token. Case and punctuation count, so normalise first. Linear.
 * Source: docs/spec/extraction.md, section 3.
 * @example tokenF1("new york city", "new york") // 0.8
 */
export function tokenF1(expected: string, predicted: string): number {
  return tokenSetF1(tokenSet(expected), tokenSet(predicted));
}

/**
 * Like `tokenF1`, for sets of tokens.
 * @example tokenSetF1(new Set(["a", "b"]), new Set(["a"])) // 0.666…
 */
export function tokenSetF1(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const token of a) if (b.has(token)) shared++;
  return (2 * shared) / (a.size + b.size);
}

/** Whitespace other than the space: splitting by the space alone is many times faster. */
const otherWhitespace = /[^\S ]/;

/**
 * The distinct whitespace-separated tokens of `text`; empty for blank text. Linear.
 * @example tokenSet("a b a") // Set { "a", "b" }
 */
export function tokenSet(text: string): Set<string> {
  const tokens = new Set(otherWhitespace.test(text) ? text.split(/\s+/) : text.split(" "));
  tokens.delete("");
  return tokens;
}

/**
 * `part / whole`, 0–1 for counts of a part; `empty` if the whole is 0.
 * @example ratio(1, 4, 0) // 0.25
 */
export function ratio(part: number, whole: number, empty: number): number {
  return whole === 0 ? empty : part / whole;
}

/**
 * The harmonic mean of precision and recall, 2PR/(P+R), 0–1; 0 if both are 0.
 * Source: van Rijsbergen 1979; docs/spec/extraction.md, section 5.
 * @example f1(0.5, 1) // 0.666…
 */
export function f1(precision: number, recall: number): number {
  const sum = precision + recall;
  return sum === 0 ? 0 : (2 * precision * recall) / sum;
}
