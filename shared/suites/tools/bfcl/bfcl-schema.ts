import { isJsonObject, type Json, type JsonObject } from "../../../contracts/json.ts";
import { err } from "../../../contracts/result.ts";
import type { ToolsSample } from "../sample.ts";

/** BFCL's own type names, from Python; `any` allows every type. */
const types: Readonly<Record<string, string>> = { dict: "object", float: "number", tuple: "array" };

/** Deeper schemas are not converted; no known function has one, and recursion must be bounded. */
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

/** Why a case of BFCL can't be a sample, with what that means. */
export const bfclReasons = {
  relevance: "a call is right, but BFCL does not say which",
  severalTurns: "several turns with calls of their own are no single answer",
  otherWorld: "its functions act on a simulated world that is kept in other files",
  noFunctions: "no function is offered, so nothing could be called",
  otherLanguage: "its values are source text of Java or JavaScript, no JSON",
  noAnswer: "it has no accepted answer; give the file of possible answers",
  noAcceptedValue: "an argument has no accepted value, so no call is right",
  malformed: "it is not laid out as BFCL does",
} as const;
export type BfclReason = keyof typeof bfclReasons;

/** What is tolerated in a case, with what that means. */
export const bfclWarnings = {
  manyTools: "more than 5 tools, and so harder than its level says",
  doubtfulCall: "an expected value is none that the function takes by its own schema",
  emptyList: "no value is accepted where an array is wanted: read as an empty array, or none",
} as const;
export type BfclWarning = keyof typeof bfclWarnings;

/** A case that became a sample. */
export interface BfclCase {
  sample: ToolsSample;
  /** Names that OpenAI refuses, and their replacements. */
  renamed: { from: string; to: string }[];
  warnings: BfclWarning[];
}

/** A case that can't be a sample. */
export interface BfclSkip {
  reason: BfclReason;
  /** More detail than the reason. */
  detail: string | null;
}

/**
 * A case that is left out, as a failed result.
 * @example skipped("relevance") // { ok: false, error: { reason: "relevance", detail: null } }
 */
export function skipped(reason: BfclReason, detail: string | null = null) {
  return err<BfclSkip>({ reason, detail });
}
