import { isJsonObject, type Json } from "../../../contracts/json.ts";

/** The supported drafts. */
export type Draft = "7" | "2019-09" | "2020-12";

/** Content of a keyword: a schema, a list or a map of schemas, or a value checked by `allows`. */
export type Keyword = (
  | { holds: "schema" | "schemas" | "schema-map" }
  | { holds: "value"; allows: (value: Json) => boolean }
) & { drafts?: readonly Draft[] };

const typeNames = new Set(["null", "boolean", "number", "string", "array", "object", "integer"]);
const since2019: readonly Draft[] = ["2019-09", "2020-12"];
const until2019: readonly Draft[] = ["7", "2019-09"];

const isTypeName = (value: Json) => typeof value === "string" && typeNames.has(value);
const isDistinct = (values: Json[]) => new Set(values).size === values.length;
const isNames = (value: Json) =>
  Array.isArray(value) && value.every((name) => typeof name === "string") && isDistinct(value);

function value(allows: (value: Json) => boolean, drafts?: readonly Draft[]): Keyword {
  return drafts === undefined ? { holds: "value", allows } : { holds: "value", allows, drafts };
}

const isSchema: Keyword = { holds: "schema" };
const isSchemas: Keyword = { holds: "schemas" };
const isSchemaMap: Keyword = { holds: "schema-map" };
const isNumber = value((v) => typeof v === "number");
const isCount = value((v) => Number.isInteger(v) && (v as number) >= 0);
const isText = value((v) => typeof v === "string");
const isFlag = value((v) => typeof v === "boolean");
const isAnchor = (v: Json) => typeof v === "string" && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(v);

/**
 * The keywords that affect validity or a field's type, with the values that their draft allows.
 * Source: the meta-schemas of JSON Schema draft-07, 2019-09 and 2020-12.
 */
const keywords: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ["$ref", isText],
  ["$id", isText],
  ["$anchor", value(isAnchor, since2019)],
  ["$dynamicRef", { ...isText, drafts: ["2020-12"] }],
  ["$dynamicAnchor", value(isAnchor, ["2020-12"])],
  ["$recursiveRef", value((v) => v === "#", ["2019-09"])],
  ["$recursiveAnchor", { ...isFlag, drafts: ["2019-09"] }],
  ["$defs", isSchemaMap],
  ["definitions", isSchemaMap],
  ["type", value((v) => isTypeName(v) || (Array.isArray(v) && isTypeList(v)))],
  ["enum", value((v) => Array.isArray(v))],
  ["const", value(() => true)],
  ["allOf", isSchemas],
  ["anyOf", isSchemas],
  ["oneOf", isSchemas],
  ["not", isSchema],
  ["if", isSchema],
  ["then", isSchema],
  ["else", isSchema],
  ["multipleOf", value((v) => typeof v === "number" && v > 0)],
  ["maximum", isNumber],
  ["exclusiveMaximum", isNumber],
  ["minimum", isNumber],
  ["exclusiveMinimum", isNumber],
  ["maxLength", isCount],
  ["minLength", isCount],
  ["pattern", isText],
  ["format", isText],
  ["items", isSchema],
  ["prefixItems", { ...isSchemas, drafts: ["2020-12"] }],
  ["additionalItems", { ...isSchema, drafts: until2019 }],
  ["unevaluatedItems", { ...isSchema, drafts: since2019 }],
  ["contains", isSchema],
  ["maxContains", { ...isCount, drafts: since2019 }],
  ["minContains", { ...isCount, drafts: since2019 }],
  ["maxItems", isCount],
  ["minItems", isCount],
  ["uniqueItems", isFlag],
  ["properties", isSchemaMap],
  ["patternProperties", isSchemaMap],
  ["additionalProperties", isSchema],
  ["unevaluatedProperties", { ...isSchema, drafts: since2019 }],
  ["propertyNames", isSchema],
  ["maxProperties", isCount],
  ["minProperties", isCount],
  ["required", value(isNames)],
  [
    "dependentRequired",
    value((v) => isJsonObject(v) && Object.values(v).every(isNames), since2019),
  ],
  ["dependentSchemas", { ...isSchemaMap, drafts: since2019 }],
  ["dependencies", { ...isSchemaMap, drafts: ["7"] }],
]);

function isTypeList(names: Json[]): boolean {
  return names.length > 0 && names.every(isTypeName) && isDistinct(names);
}

/**
 * The definition of keyword `name` with this `value` in `draft`; undefined if the draft does not know it, or if it
 * affects neither validity nor types. `items` can be a list only before 2020-12.
 * @example keywordOf("prefixItems", [], "7") // undefined
 */
export function keywordOf(name: string, value: Json, draft: Draft): Keyword | undefined {
  if (name === "items" && Array.isArray(value) && draft !== "2020-12") return isSchemas;
  const keyword = keywords.get(name);
  return keyword?.drafts?.includes(draft) === false ? undefined : keyword;
}

const addresses: Readonly<Record<string, Draft>> = {
  "http://json-schema.org/draft-03/schema": "7",
  "http://json-schema.org/draft-04/schema": "7",
  "http://json-schema.org/draft-07/schema": "7",
  "https://json-schema.org/draft/2019-09/schema": "2019-09",
  "https://json-schema.org/draft/2020-12/schema": "2020-12",
};

/**
 * The draft that a `$schema` value names; draft-07 for the older draft-03 and draft-04. Null for any other value,
 * which is read as 2020-12 and never fetched. A missing value means 2020-12.
 * Source: docs/spec/extraction.md, section 1.
 * @example draftOf("http://json-schema.org/draft-07/schema#") // "7"
 */
export function draftOf(address: Json | undefined): Draft | null {
  if (address === undefined) return "2020-12";
  if (typeof address !== "string") return null;
  return addresses[address.replace(/#$/, "")] ?? null;
}
