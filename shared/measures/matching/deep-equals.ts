import type { Json, JsonObject } from "../../contracts/json.ts";

/**
 * Whether two JSON values are equal: objects in any order of properties, arrays in order, numbers and strings
 * exactly. Linear; recursive.
 * Source: JSON Schema 2020-12 core, section 4.2.2.
 * @example deepEquals({ a: 1, b: [2] }, { b: [2], a: 1 }) // true
 */
export function deepEquals(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && equalArrays(a, b);
  return !Array.isArray(b) && equalObjects(a, b);
}

function equalArrays(a: readonly Json[], b: readonly Json[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!deepEquals(a[i]!, b[i]!)) return false;
  return true;
}

/** Properties are usually in the same order; then no lookup by name is needed. */
function equalObjects(a: JsonObject, b: JsonObject): boolean {
  const names = Object.keys(a);
  const others = Object.keys(b);
  if (names.length !== others.length) return false;
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!;
    if (name !== others[i] && !Object.hasOwn(b, name)) return false;
    if (!deepEquals(a[name]!, b[name]!)) return false;
  }
  return true;
}
