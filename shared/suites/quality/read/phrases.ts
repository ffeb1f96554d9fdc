/** Beside it, a phrase is only the part of a longer word. */
const wordCharacter = "[\\p{L}\\p{Nd}_]";

/**
 * An expression that finds any of `phrases` in folded text (`folded`) between word boundaries, its words
 * parted by any whitespace.
 * @example "and then".match(phrasePattern(["then", "as a result"])) // ["then"]
 */
export function phrasePattern(phrases: readonly string[]): RegExp {
  const any = phrases.map((phrase) => phrase.replaceAll(" ", "\\s+")).join("|");
  return new RegExp(`(?<!${wordCharacter})(?:${any})(?!${wordCharacter})`, "gu");
}

/**
 * How often phrases occur in a folded text. Linear.
 * @example countPhrases("then, then", phrasePattern(["then"])) // 2
 */
export function countPhrases(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
