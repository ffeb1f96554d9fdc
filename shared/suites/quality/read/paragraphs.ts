/**
 * The paragraphs of a text: what blank lines part, trimmed, none empty. Linear.
 * Source: docs/spec/quality.md, text utilities.
 * @example paragraphs("One.\n\nTwo.") // ["One.", "Two."]
 */
export function paragraphs(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
