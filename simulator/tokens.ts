/** Characters (UTF-16 code units) that count as one token. */
export const charactersPerToken = 4;

/**
 * Tokens of a text: a quarter of its characters, rounded up.
 * @example countTokens("hello") // 2
 */
export function countTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

/** A text cut into its tokens; none for the empty text. */
export function splitTokens(text: string, size = charactersPerToken): string[] {
  const count = Math.ceil(text.length / size);
  return Array.from({ length: count }, (_, index) => text.slice(index * size, (index + 1) * size));
}
