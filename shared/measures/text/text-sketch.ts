import { isPair } from "./code-points.ts";

/** What bounds the similarities of a text with others, in a few small numbers. */
export interface TextSketch {
  /** Code points. */
  length: number;
  /** Distinct words. */
  tokens: number;
  /** Words that share their bit with another. */
  extraTokens: number;
  /** A bit for each word and for each character, by a hash. */
  tokenBits: number;
  characterBits: number;
}

/**
 * The sketch of a text, normalised as for comparing, with these distinct words. Linear.
 * @example textSketch("new york", new Set(["new", "york"])).tokens // 2
 */
export function textSketch(text: string, tokens: ReadonlySet<string>): TextSketch {
  let tokenBits = 0;
  for (const token of tokens) tokenBits |= 1 << (hashOf(token) & 31);
  let [characterBits, length] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    // The second half of a pair ends in the bits that the code point ends in.
    if (isPair(text, i)) continue;
    characterBits |= 1 << (text.charCodeAt(i) & 31);
    length++;
  }
  const extraTokens = tokens.size - bitCount(tokenBits);
  return { length, tokens: tokens.size, extraTokens, tokenBits, characterBits };
}

/**
 * The most that token F1 can be for two texts, 0–1.
 * @example tokenF1Bound(textSketch("new york"), textSketch("york")) // at least 2/3
 */
export function tokenF1Bound(a: TextSketch, b: TextSketch): number {
  const common = bitCount(a.tokenBits & b.tokenBits);
  if (common === 0) return 0;
  const shared = Math.min(a.tokens, b.tokens, common + Math.min(a.extraTokens, b.extraTokens));
  return (2 * shared) / (a.tokens + b.tokens);
}

/**
 * The most that Levenshtein similarity can be for two texts, 0–1: a step of the distance mends one
 * character of each, or the length by one.
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
 * The most that containment can be for two texts, 0–1.
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
