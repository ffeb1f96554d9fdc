import { isJsonObject, type Json, type JsonObject } from "../../../contracts/json.ts";

/** Types that are BFCL's own, after Python; `any` is no type at all. */
const types: Readonly<Record<string, string>> = { dict: "object", float: "number", tuple: "array" };

/** Deeper schemas are left as they are: no function has such, and the stack has an end. */
const mostDepth = 64;

/**
 * A BFCL parameter document as JSON Schema: `dict` is `object`, `float` `number`, `tuple` `array`, and
 * `any` goes, in all properties and items. An array gets `items` where it has none, since OpenAI wants
 * them. Linear in the size of the document.
 * Source: BFCL, `type_mappings.py`.
 * @example jsonSchemaOf({ type: "dict", properties: { x: { type: "float" } } })
 */
export function jsonSchemaOf(document: Json, depth = 0): Json {
  if (!isJsonObject(document) || depth > mostDepth) return document;
  const { type, properties, items, ...rest } = document;
  const below = (schema: Json) => jsonSchemaOf(schema, depth + 1);
  const known = typeof type === "string" ? (types[type] ?? type) : type;
  const result: JsonObject = { ...rest };
  if (known !== undefined && known !== "any") result["type"] = known;
  if (properties !== undefined) {
    const named = isJsonObject(properties) ? Object.entries(properties) : [];
    result["properties"] = Object.fromEntries(named.map(([name, one]) => [name, below(one)]));
  }
  if (items !== undefined) result["items"] = below(items);
  else if (known === "array") result["items"] = {};
  if (isJsonObject(rest["additionalProperties"])) {
    result["additionalProperties"] = below(rest["additionalProperties"]);
  }
  return result;
}

/**
 * The schema of a property, an empty one where there is none.
 * @example propertyOf({ properties: { x: { type: "string" } } }, "x") // { type: "string" }
 */
export function propertyOf(schema: JsonObject, name: string): JsonObject {
  const { properties } = schema;
  const found =
    isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : null;
  return isJsonObject(found) ? found : {};
}

/**
 * The schema of an array's elements, an empty one where there is none.
 * @example itemsOf({ type: "array", items: { type: "string" } }) // { type: "string" }
 */
export function itemsOf({ items }: JsonObject): JsonObject {
  return isJsonObject(items) ? items : {};
}
