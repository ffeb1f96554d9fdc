import { asObject, isJsonObject, type Json, type JsonObject } from "../../../contracts/json.ts";

const maps = new Set([
  "$defs",
  "definitions",
  "properties",
  "patternProperties",
  "dependentSchemas",
  "dependencies",
]);
const lists = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const single = new Set([
  "not",
  "if",
  "then",
  "else",
  "contains",
  "propertyNames",
  "additionalProperties",
  "unevaluatedProperties",
  "items",
  "additionalItems",
  "unevaluatedItems",
]);

/**
 * Calls `visit` with each direct subschema of `schema`, a tolerant copy; its keyword; and its name or index there
 * (undefined if the keyword contains the schema itself). Linear.
 * Source: JSON Schema 2020-12 core, sections 8.2.4, 10 and 11.
 * @example eachPart({ allOf: [true] }, visit) // visit(true, "allOf", "0")
 */
export function eachPart(
  schema: JsonObject,
  visit: (part: Json, keyword: string, key?: string) => void,
): void {
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword]!;
    const isList = Array.isArray(value) && (lists.has(keyword) || keyword === "items");
    if (isList || (maps.has(keyword) && isJsonObject(value))) {
      for (const key of Object.keys(value)) visit((value as JsonObject)[key]!, keyword, key);
    } else if (single.has(keyword)) visit(value, keyword);
  }
}

/** Keywords whose schemas apply to the same value as the schema that contains them. */
const sameValue = new Set([
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
  "dependentSchemas",
  "dependencies",
]);

/**
 * Whether the schemas under `keyword` apply to the same value as the schema that contains them.
 * @example appliesToSameValue("allOf") // true
 */
export function appliesToSameValue(keyword: string): boolean {
  return sameValue.has(keyword);
}

/**
 * The list of schemas under `keyword`; empty if there is none.
 * @example listUnder({ items: true }, "items") // []
 */
export function listUnder(schema: JsonObject, keyword: string): readonly Json[] {
  const list = schema[keyword];
  return Array.isArray(list) ? list : [];
}

/**
 * The map of schemas under `keyword`; empty if there is none.
 * @example mapUnder({ items: true }, "properties") // {}
 */
export function mapUnder(schema: JsonObject, keyword: string): Readonly<JsonObject> {
  const map = schema[keyword];
  return asObject(map);
}

/**
 * The schemas for elements of an array: those of the first elements, and that of the rest, undefined if there is
 * none. From `prefixItems` and `items`, or before 2020-12 from a list `items` and `additionalItems`.
 * @example elementSchemas({ items: [true], additionalItems: false }) // { first: [true], rest: false }
 */
export function elementSchemas(schema: JsonObject): {
  first: readonly Json[];
  rest: Json | undefined;
} {
  const { items, additionalItems } = schema;
  return Array.isArray(items)
    ? { first: items, rest: additionalItems }
    : { first: listUnder(schema, "prefixItems"), rest: items };
}
