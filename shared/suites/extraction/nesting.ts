import type { Json, JsonObject } from "../../contracts/json.ts";

/**
 * Levels of nesting up to which a value is scored. RFC 8259, section 9, lets a parser set a limit;
 * extracted data has fewer than ten, and the recursive steps need room on the stack.
 */
export const maxDepth = 500;

/**
 * Whether `value` is nested deeper than `maxDepth` levels; a scalar has none. Level by level, so that
 * no depth exhausts the stack. Linear.
 * @example isTooDeep([[1]]) // false
 */
export function isTooDeep(value: Json): boolean {
  let level = containers([value]);
  for (let depth = 0; depth < maxDepth && level.length > 0; depth++) {
    level = level.flatMap((container) => containers(Object.values(container)));
  }
  return level.length > 0;
}

function containers(values: readonly Json[]): (Json[] | JsonObject)[] {
  return values.filter((value) => typeof value === "object" && value !== null);
}
