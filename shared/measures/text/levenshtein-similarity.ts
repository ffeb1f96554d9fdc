import { distance } from "fastest-levenshtein";
import { hasSurrogates } from "./code-points.ts";

/**
 * Comparing beyond this many pairs of characters would take longer than a second, and no text a
 * model extracts is that long: two unlike texts of 60,000 characters.
 */
const maxPairs = 4e9;

/**
 * How alike two texts are, letter by letter: 1 − distance / length of the longer, 0–1, symmetric,
 * with Levenshtein's distance and lengths in Unicode code points. 1 when both are empty, 0 when one
 * is, and 0 beyond 4·10⁹ pairs of characters. O(n·m/32).
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

/** Both texts with each distinct code point as one UTF-16 unit, equal where it was equal. */
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
