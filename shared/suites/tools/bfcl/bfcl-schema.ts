import { asObject, isJsonObject, type Json, type JsonObject } from "../../../contracts/json.ts";
import { err } from "../../../contracts/result.ts";
import type { ToolsSample } from "../sample.ts";

/** BFCL's type names from Python, with JSON Schema's; `any` allows every type. */
const types: Readonly<Record<string, string>> = { dict: "object", float: "number", tuple: "array" };

/** Deeper schemas are not converted: recursion must be bounded, and no known function needs more. */
const mostDepth = 64;

/**
 * A BFCL parameter document as JSON Schema: `dict` becomes `object`, `float` `number`, `tuple` `array`, and `any` is
 * removed, in all properties and items. An array without `items` gets empty ones, because OpenAI requires them. Linear.
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
 * The schema of a property, or an empty one.
 * @example propertyOf({ properties: { x: { type: "string" } } }, "x") // { type: "string" }
 */
export function propertyOf(schema: JsonObject, name: string): JsonObject {
  const { properties } = schema;
  const found =
    isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : null;
  return asObject(found);
}

/**
 * The schema of an array's elements, or an empty one.
 * @example itemsOf({ type: "array", items: { type: "string" } }) // { type: "string" }
 */
export function itemsOf({ items }: JsonObject): JsonObject {
  return asObject(items);
}

/** Reasons why a case of BFCL can't be a sample, with explanations. */
export const bfclReasons = {
  relevance: "a call is right, but BFCL does not say which",
  severalTurns: "several turns without the classes that simulate their world",
  otherWorld: "its functions act on a world that is not simulated, such as memory or web search",
  noDocuments:
    "the documents of its functions are missing; add --functions with the folder multi_turn_func_doc",
  longContext: "its worlds are padded with texts that are not part of this project",
  noFunctions: "no function is offered, so nothing could be called",
  otherLanguage: "its values are source code in Java or JavaScript, not JSON",
  noAnswer: "it has no accepted answer; add the file of possible answers",
  noAcceptedValue: "an argument has no accepted value, so no call is right",
  malformed: "it does not have BFCL's format",
} as const;
export type BfclReason = keyof typeof bfclReasons;

/** Accepted flaws of a case, with explanations. */
export const bfclWarnings = {
  manyTools: "more than 5 tools, so it is harder than its level",
  doubtfulCall: "an expected value does not fit the function's own schema",
  emptyList: "no value is accepted for an array: read as an empty array, or a missing one",
} as const;
export type BfclWarning = keyof typeof bfclWarnings;

/** A case that became a sample. */
export interface BfclCase {
  sample: ToolsSample;
  /** The sample as a row of a dataset. */
  row: JsonObject;
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
 * A skipped case as a failed result.
 * @example skipped("relevance") // { ok: false, error: { reason: "relevance", detail: null } }
 */
export function skipped(reason: BfclReason, detail: string | null = null) {
  return err<BfclSkip>({ reason, detail });
}
