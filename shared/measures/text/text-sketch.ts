import { isPair } from "./code-points.ts";

/** A few small numbers of a text from which upper bounds of its similarities with other texts are computed. */
export interface TextSketch {
  /** Length in code points. */
  length: number;
  /** Distinct words. */
  tokens: number;
  /** Words whose bit another word also has. */
  extraTokens: number;
  /** One bit for each word and each character, by a hash. */
  tokenBits: number;
  characterBits: number;
}

/**
 * The sketch of a text, normalised for comparison, with its distinct words. Linear.
 * @example textSketch("new york", new Set(["new", "york"])).tokens // 2
 */
export function textSketch(text: string, tokens: ReadonlySet<string>): TextSketch {
  let tokenBits = 0;
  for (const token of tokens) tokenBits |= 1 << (hashOf(token) & 31);
  let [characterBits, length] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    // The low bits of the second surrogate are those of the code point.
    if (isPair(text, i)) continue;
    characterBits |= 1 << (text.charCodeAt(i) & 31);
    length++;
  }
  const extraTokens = tokens.size - bitCount(tokenBits);
  return { length, tokens: tokens.size, extraTokens, tokenBits, characterBits };
}

/**
 * Upper bound of token F1 for two texts, 0–1.
 * @example tokenF1Bound(textSketch("new york"), textSketch("york")) // at least 2/3
 */
export function tokenF1Bound(a: TextSketch, b: TextSketch): number {
  const common = bitCount(a.tokenBits & b.tokenBits);
  if (common === 0) return 0;
  const shared = Math.min(a.tokens, b.tokens, common + Math.min(a.extraTokens, b.extraTokens));
  return (2 * shared) / (a.tokens + b.tokens);
}

/**
 * Upper bound of Levenshtein similarity for two texts, 0–1: one edit corrects one character of each text, or the
 * length by one.
 * @example levenshteinBound(textSketch("abc"), textSketch("a")) // 1/3
 */
export function levenshteinBound(a: TextSketch, b: TextSketch): number {
  const longer = Math.max(a.length, b.length);
  if (longer === 0) return 1;
  const distance = Math.max(
    Math.abs(a.length - b.length),
    bitCount(a.characterBits & ~b.characterBits),
    bitCount(b.characterBits & ~a.characterBits),
  );
  return 1 - distance / longer;
}

/**
 * Upper bound of containment for two texts, 0–1.
 * @example containmentBound(textSketch("abc"), textSketch("x")) // 0
 */
export function containmentBound(expected: TextSketch, predicted: TextSketch): number {
  if ((expected.characterBits & ~predicted.characterBits) === 0) {
    if (expected.length <= predicted.length) return 1;
  }
  const within = (predicted.characterBits & ~expected.characterBits) === 0;
  return within && predicted.length <= expected.length ? predicted.length / expected.length : 0;
}

/** FNV-1a over UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash ^ (hash >>> 16);
}

function bitCount(bits: number): number {
  let count = bits - ((bits >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return Math.imul((count + (count >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
