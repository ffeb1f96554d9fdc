import { distance } from "fastest-levenshtein";
import { hasSurrogates } from "./code-points.ts";

/**
 * Maximum pairs of characters: more would take longer than a second. Enough for two different texts of 60,000
 * characters, more than models extract.
 */
const maxPairs = 4e9;

/**
 * Similarity of two texts by characters: 1 − distance / length of the longer text, 0–1, symmetric, with Levenshtein's
 * distance and lengths in Unicode code points. 1 if both are empty, 0 if one is, and 0 beyond 4·10⁹ pairs of
 * characters. O(n·m/32).
 * Source: Levenshtein 1966; docs/spec/extraction.md, section 3.
 * @example levenshteinSimilarity("kitten", "sitting") // 0.5714…
 */
export function levenshteinSimilarity(a: string, b: string): number {
  if (a === b) return 1;
  if (hasSurrogates(a) || hasSurrogates(b)) return similarity(...inUnits(a, b));
  return similarity(a, b);
}

function similarity(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  if (a.length * b.length > maxPairs) return 0;
  return 1 - distance(a, b) / longer;
}

/** Both texts with each distinct code point mapped to one UTF-16 unit. */
function inUnits(a: string, b: string): [string, string] {
  const units = new Map<string, string>();
  const encode = (text: string) => {
    let encoded = "";
    for (const point of text) {
      const unit = units.get(point) ?? String.fromCharCode(units.size);
      units.set(point, unit);
      encoded += unit;
    }
    return encoded;
  };
  return [encode(a), encode(b)];
}
