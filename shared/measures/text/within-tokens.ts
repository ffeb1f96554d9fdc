/** A letter, mark or digit, except of scripts without spaces between words. */
const wordCharacter =
  /^(?!\p{sc=Han}|\p{sc=Hira}|\p{sc=Kana}|\p{sc=Thai}|\p{sc=Laoo}|\p{sc=Khmr}|\p{sc=Mymr})[\p{L}\p{M}\p{N}]$/u;

/**
 * Whether `part` occurs in `text` on token boundaries: neither end continues a run of letters and digits. An empty
 * part occurs everywhere. Linear in the text for each occurrence; normalise both in the same way.
 * Source: docs/spec/extraction.md, section 8.
 * @example withinTokens("york", "new york, ny") // true
 */
export function withinTokens(part: string, text: string): boolean {
  if (part === "") return true;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (isBoundary(text, at) && isBoundary(text, at + part.length)) return true;
  }
  return false;
}

/**
 * Whether a token can begin or end at index `at` of `text`. The ends of a text are boundaries, and so is every
 * position next to Chinese, Japanese, Thai, Lao, Khmer and Burmese letters, which are written without spaces.
 * @example isBoundary("ab c", 1) // false
 */
export function isBoundary(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true;
  return !(isWord(text.codePointAt(at)!) && isWord(codePointBefore(text, at)));
}

function codePointBefore(text: string, at: number): number {
  const isLow = (text.charCodeAt(at - 1) & 0xfc00) === 0xdc00;
  const whole = isLow && at > 1 ? text.codePointAt(at - 2)! : 0;
  return whole > 0xffff ? whole : text.charCodeAt(at - 1);
}

function isWord(point: number): boolean {
  if (point < 0x80) {
    const lower = point | 0x20;
    return (point >= 0x30 && point <= 0x39) || (lower >= 0x61 && lower <= 0x7a);
  }
  return wordCharacter.test(String.fromCodePoint(point));
}

/** Scripts with blanks between words: there, part of a word is not a quotation. */
const spaced = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u;

/**
 * The first index at or after `from` of `words` in `text`, as whole words in scripts with blanks between them; −1:
 * none.
 * @example wordsPlace("you", "your you", 0) // 5
 */
export function wordsPlace(words: string, text: string, from: number): number {
  const isCut = (before: string, after: string) => spaced.test(before) && spaced.test(after);
  let at = text.indexOf(words, from);
  while (at >= 0) {
    const end = at + words.length;
    const startsInside = isCut(text.charAt(at - 1), words.charAt(0));
    if (!startsInside && !isCut(words.charAt(words.length - 1), text.charAt(end))) return at;
    at = text.indexOf(words, at + 1);
  }
  return -1;
}
