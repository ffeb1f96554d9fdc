import type { Json } from "../../contracts/json.ts";

/**
 * Maximum nesting of a scored value. RFC 8259, section 9, lets a parser set a limit; extracted data has fewer than
 * ten levels, and recursive steps need stack space.
 */
export const maxDepth = 500;

/**
 * Whether `value` is nested deeper than `levels`; a scalar has none. Its own recursion is bounded, so no
 * value exhausts the stack. Linear.
 * @example isTooDeep([[1]]) // false
 */
export function isTooDeep(value: Json, levels = maxDepth): boolean {
  return exceeds(value, levels);
}

/**
 * Whether the JSON `text` could contain a value nested deeper than `maxDepth` levels: it opens more brackets than
 * that. Many times faster than checking the value. Linear.
 * @example mayBeTooDeep("[[1], [2]]") // false
 */
export function mayBeTooDeep(text: string): boolean {
  let opened = 0;
  for (const bracket of ["{", "["]) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      if (++opened > maxDepth) return true;
    }
  }
  return false;
}

function exceeds(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const element of value) if (exceeds(element, levels - 1)) return true;
    return false;
  }
  for (const name of Object.keys(value)) if (exceeds(value[name]!, levels - 1)) return true;
  return false;
}
