import { isJsonObject, type Json } from "../contracts/json.ts";

/**
 * Whether two JSON values are equal: objects whatever the order of their properties, arrays in
 * order, numbers and strings exactly. Linear; recursive.
 * Source: JSON Schema 2020-12 core, section 4.2.2.
 * @example deepEquals({ a: 1, b: [2] }, { b: [2], a: 1 }) // true
 */
export function deepEquals(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((element, i) => deepEquals(element, b[i]!));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && deepEquals(a[name]!, b[name]!))
  );
}
