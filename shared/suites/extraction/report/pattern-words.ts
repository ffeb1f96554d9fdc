/**
 * An error pattern's id in words.
 * @example patternWords("wrong_type") // "wrong type"
 */
export function patternWords(pattern: string): string {
  return pattern.replaceAll("_", " ");
}
