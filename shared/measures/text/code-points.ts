/** A surrogate: half of a code point beyond the basic plane. The search is very fast in Latin text. */
const surrogate = /[\ud800-\udfff]/;

/**
 * Whether a text has code points beyond the basic plane, or lone surrogates.
 * @example hasSurrogates("a😀") // true
 */
export function hasSurrogates(text: string): boolean {
  return surrogate.test(text);
}

/**
 * The length of a text in Unicode code points; a lone surrogate counts as one. Linear.
 * @example countCodePoints("a😀") // 2
 */
export function countCodePoints(text: string): number {
  let count = text.length;
  if (!hasSurrogates(text)) return count;
  for (let i = 0; i < text.length; i++) if (isPair(text, i)) count--;
  return count;
}

/**
 * Whether a surrogate pair begins at index `i` of a text.
 * @example isPair("a😀", 1) // true
 */
export function isPair(text: string, i: number): boolean {
  return (text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00;
}
