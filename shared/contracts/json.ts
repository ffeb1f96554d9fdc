/** A JSON value (RFC 8259) as `JSON.parse` returns it. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  [name: string]: Json;
}

/**
 * Whether `value` is a JSON object: not null and not an array.
 * @example isJsonObject([]) // false
 */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * A value that is a JSON object; any other is an empty one.
 * @example asObject(null) // {}
 */
export const asObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/**
 * A text unchanged, any other value as JSON.
 * @example textOrJson({ a: 1 }) // '{"a":1}'
 */
export const textOrJson = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

/**
 * Parses JSON; undefined if the text is not JSON.
 * @example parsedJson("{") // undefined
 */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
