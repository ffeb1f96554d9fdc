import type { Json } from "../../../contracts/json.ts";

/**
 * A text that two JSON values share exactly when they are equal: objects whatever the order of their
 * properties, numbers by value. Linear but for sorting names; recursive.
 * Source: JSON Schema 2020-12 core, section 4.2.2.
 * @example valueKey({ b: 1, a: 2 }) === valueKey({ a: 2.0, b: 1 }) // true
 */
export function valueKey(value: Json): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(valueKey).join()}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${valueKey(value[name]!)}`).join()}}`;
}
