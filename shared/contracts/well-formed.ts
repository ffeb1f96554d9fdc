/** Lone halves of a surrogate pair: text that is no Unicode and that no hash or database keeps. */
const loneSurrogate = /\p{Surrogate}/u;

/**
 * What a name is better without: controls and line breaks, halves of surrogate pairs, annotation
 * marks, and whatever shows nothing or turns the text around it (Unicode's default ignorables, the
 * bidirectional controls among them). Joiners and variation selectors stay: scripts and emoji need
 * them.
 */
const unprintable =
  /[\p{Cc}\p{Zl}\p{Zp}\ufff9-\ufffb]|\p{Surrogate}|(?!\p{Join_Control}|\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/u;

/** A mark with nothing to stand on, or more of them than any script stacks: they cover their neighbours. */
const stacked = /^\p{M}|\p{M}{7}/u;

/** Takes room and shows nothing: blanks, joiners, variation selectors, the empty Braille cell. */
const blank = /\s|\p{Join_Control}|\p{Variation_Selector}|\u2800/gu;

/**
 * Whether a name can be shown on a line of its own, beside others, as what it is: something
 * visible, nothing hidden, nothing that changes what stands around it.
 * @example isPrintable("Llama 3.1 🦙") // true
 * @example isPrintable("a\u202eb") // false
 */
export const isPrintable = (text: string): boolean =>
  text.replace(blank, "") !== "" && !unprintable.test(text) && !stacked.test(text);

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

/**
 * A JSON value with every lone surrogate replaced by U+FFFD, as UTF-8 would have it. Linear.
 * @example wellFormed("a\ud800") // "a\ufffd"
 */
export function wellFormed<T>(value: T): T {
  if (illFormedPath(value) === null) return value;
  const escaped = JSON.stringify(value).replace(/\\ud[89a-f][0-9a-f]{2}/gi, "\ufffd");
  return JSON.parse(escaped) as T;
}
