/** Texts longer than this are read as if they ended here. */
const maxLength = 40_000;

/**
 * The sentences of a text, as they stand in it: parted at line ends and after full stops, question and
 * exclamation marks. Linear.
 * @example sentencesOf("Rest. Then, at 8 p.m., walk!") // ["Rest.", "Then, at 8 p.m., walk!"]
 */
export function sentencesOf(text: string): string[] {
  return text
    .slice(0, maxLength)
    .split(/\n+|(?<=[.!?…]["”’)]?)\s+(?=["“‘(]?[\p{Lu}\p{N}])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/** Words of a quotation: enough to find the place. */
const quotedWords = 14;

/**
 * The beginning of a sentence, as it can stand between quotation marks: it ends before the first one.
 * @example quotable('You said "rest" to me.') // "You said"
 */
export function quotable(sentence: string): string {
  const pieces = sentence.split(/["“”„«»]/u).map((piece) => piece.trim());
  const piece = pieces.find((one) => /[\p{L}\p{N}]/u.test(one)) ?? "";
  return piece.split(/\s+/).slice(0, quotedWords).join(" ");
}
