/** Lone halves of a surrogate pair: text that is no Unicode and that no hash or database keeps. */
const loneSurrogate = /\p{Surrogate}/u;

/** Controls, and marks that turn the direction of the text around them. */
const unprintable = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/u;

/** Whether a name can be shown on a line of its own: something visible, no control characters. */
export const isPrintable = (text: string): boolean => text.trim() !== "" && !unprintable.test(text);

/**
 * Path to the first string (or property name) that is not well-formed Unicode; null when all are.
 * Iterative, so that depth doesn't matter. Linear.
 * @example illFormedPath({ a: ["\ud800"] }) // ["a", 0]
 */
export function illFormedPath(value: unknown): PropertyKey[] | null {
  const open: { value: unknown; path: PropertyKey[] }[] = [{ value, path: [] }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value: inner, path } = next;
    if (typeof inner === "string" && loneSurrogate.test(inner)) return path;
    if (typeof inner !== "object" || inner === null) continue;
    for (const [key, child] of Object.entries(inner)) {
      const at = [...path, Array.isArray(inner) ? Number(key) : key];
      if (loneSurrogate.test(key)) return at;
      open.push({ value: child, path: at });
    }
  }
  return null;
}

/** A JSON value with every lone surrogate replaced by U+FFFD, as UTF-8 would have it. */
export function wellFormed<T>(value: T): T {
  if (illFormedPath(value) === null) return value;
  const escaped = JSON.stringify(value).replace(/\\ud[89a-f][0-9a-f]{2}/gi, "\ufffd");
  return JSON.parse(escaped) as T;
}
