import type { Json } from "../../contracts/json.ts";

/** The six types of JSON (RFC 8259, section 3). */
export type JsonType = "null" | "boolean" | "number" | "string" | "array" | "object";

/**
 * The JSON type of `value`. Constant time.
 * @example jsonType([]) // "array"
 */
export function jsonType(value: Json): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as JsonType;
}
