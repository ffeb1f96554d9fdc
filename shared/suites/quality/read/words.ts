/** Letters, digits and underscores, with apostrophes inside. */
const word = /[\p{L}\p{Nd}_]+(?:'[\p{L}\p{Nd}_]+)*/gu;

/**
 * A text in lower case with straight apostrophes, as words and phrases are looked for.
 * @example folded("It’s") // "it's"
 */
export function folded(text: string): string {
  return text.toLowerCase().replaceAll("’", "'");
}

/**
 * The words of a text in lower case, in order: runs of Unicode letters, digits and underscores, and
 * apostrophes between them. Empty text has none. Linear.
 * Source: docs/spec/quality.md, text utilities.
 * @example words("It’s 3.5 m.") // ["it's", "3", "5", "m"]
 */
export function words(text: string): string[] {
  return folded(text).match(word) ?? [];
}
