/** ASCII whitespace and punctuation, which separate tokens; `_` is one of the latter. */
const separators = /[\s!-/:-@[-`{-~]+/g;
const nonAscii = /[\u0080-\uffff]/g;

/** Of other scripts all but letters, digits and the marks that are written with them. */
const neitherLetterNorDigit =
  /(?![\p{L}\p{N}\p{Mn}\p{Mc}])[\u{80}-\u{10ffff}]|\p{Variation_Selector}/gu;

/**
 * A value as it is compared: without non-ASCII characters, punctuation and runs of whitespace one space,
 * in lower case, trimmed. With `asciiOnly` false letters and digits of every script stay (marks with
 * them, in NFC); whatever else is not ASCII goes without leaving a space, as it does by default. Empty
 * where nothing is left. Linear.
 * Source: docs/spec/slots.md, canonical form.
 * @example canonicalize(" Zürich_West!", true) // "zrich west"
 */
export function canonicalize(value: string, asciiOnly: boolean): string {
  const kept = asciiOnly
    ? value.replace(nonAscii, "")
    : value.normalize("NFC").replace(neitherLetterNorDigit, "");
  return kept.replace(separators, " ").toLowerCase().trim();
}

/** A slot's values as they are compared. */
export interface CanonicalSlot {
  /** Empty ones left out. */
  values: Set<string>;
  /** Of all values, in order. */
  tokens: string[];
}

/**
 * The canonical values and tokens of a slot; both may be empty though it has values. Linear.
 * Source: docs/spec/slots.md, canonical form.
 * @example canonicalSlot(["Sea swimming!", "東京"], true).tokens // ["sea", "swimming"]
 */
export function canonicalSlot(values: readonly string[], asciiOnly: boolean): CanonicalSlot {
  const canonical = values.map((value) => canonicalize(value, asciiOnly)).filter((v) => v !== "");
  return { values: new Set(canonical), tokens: canonical.flatMap((value) => value.split(" ")) };
}

/**
 * Whether two slots have the same canonical values, order and repetition aside; two without any do.
 * Source: docs/spec/slots.md, canonical form.
 * @example isSameSlot(canonicalSlot(["a", "B"], true), canonicalSlot(["b!", "A"], true)) // true
 */
export function isSameSlot(a: CanonicalSlot, b: CanonicalSlot): boolean {
  if (a.values.size !== b.values.size) return false;
  for (const value of a.values) if (!b.values.has(value)) return false;
  return true;
}
