import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";
import { UndecidedError, whyUndecided } from "./compile/schema-run.ts";
import { elementSchemas, listUnder, mapUnder } from "./index/schema-parts.ts";
import { compilePattern } from "./regex/compile-pattern.ts";

/*
 * What the subschemas of a place say of the places below it: the one reading of a schema that the types,
 * the required fields and the complexity of fields rest on.
 * Source: docs/spec/extraction.md, section 5, type accuracy.
 */

/** Finds the subschema a `$ref` names, or undefined. */
export type ResolveRef = (schema: JsonObject) => Json | undefined;

const branchKeywords = ["allOf", "anyOf", "oneOf"] as const;

/** Property names longer than this match no pattern here: no schema means such, and they cost. */
const maxNameLength = 1_000;

/** Steps for one name and pattern: those of a name of the greatest length in all patterns but odd ones. */
const maxNameSteps = 20_000;

/** Whether `pattern` matches a name; not where that takes too many steps. */
function covers(pattern: string, name: string): boolean {
  if (name.length > maxNameLength) return false;
  let left = maxNameSteps;
  try {
    const matches = compilePattern(pattern)?.test(name, (steps) => {
      left -= steps;
      if (left < 0) throw new UndecidedError();
    });
    return matches === true;
  } catch (error) {
    if (whyUndecided(error) === null) throw error;
    return false;
  }
}

/**
 * Whether a schema says something of the elements of an array.
 * @example hasElements({ items: true }) // true
 */
export function hasElements(schema: JsonObject): boolean {
  return "items" in schema || "prefixItems" in schema;
}

/**
 * Whether a schema says something of the properties of an object by name.
 * @example hasMembers({ required: [] }) // true
 */
export function hasMembers(schema: JsonObject): boolean {
  return "properties" in schema || "required" in schema;
}

/**
 * The schemas that list a property, by its name; names in the order of the schemas. Linear.
 * @example declaringByName([{ properties: { a: {} } }]).has("a") // true
 */
export function declaringByName(schemas: readonly JsonObject[]): Map<string, JsonObject[]> {
  const declaring = new Map<string, JsonObject[]>();
  for (const schema of schemas) {
    for (const name of Object.keys(mapUnder(schema, "properties"))) {
      const known = declaring.get(name);
      if (known === undefined) declaring.set(name, [schema]);
      else known.push(schema);
    }
  }
  return declaring;
}

/**
 * Whether a schema speaks of properties that it does not list.
 * @example describesUnlisted({ additionalProperties: { type: "string" } }) // true
 */
export function describesUnlisted(schema: JsonObject): boolean {
  return "patternProperties" in schema || isJsonObject(schema["additionalProperties"]);
}

/**
 * `schemas` and all others that apply to the same place: targets of a `$ref`, with the keywords next to it,
 * and every branch of `allOf`, `anyOf` and `oneOf`. Not recursive, since `$ref`s can form chains. Linear.
 * @example schemasAtPlace([{ anyOf: [{ type: "string" }] }], () => undefined).length // 2
 */
export function schemasAtPlace(schemas: readonly Json[], resolve: ResolveRef): JsonObject[] {
  const found = new Set<JsonObject>();
  const open = schemas.toReversed();
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    if (!isJsonObject(schema) || found.has(schema)) continue;
    found.add(schema);
    for (const keyword of branchKeywords) {
      for (const branch of listUnder(schema, keyword)) open.push(branch);
    }
    const target = resolve(schema);
    if (target !== undefined) open.push(target);
  }
  return [...found];
}

/**
 * What a schema says of property `name`: under `properties`, `patternProperties`, or for a name that
 * neither covers under `additionalProperties`.
 * @example schemasOfProperty({ properties: { a: true } }, "a") // [true]
 */
export function schemasOfProperty(schema: JsonObject, name: string): Json[] {
  const found: Json[] = [];
  const properties = mapUnder(schema, "properties");
  if (Object.hasOwn(properties, name)) found.push(properties[name]!);
  for (const [pattern, subschema] of Object.entries(mapUnder(schema, "patternProperties"))) {
    if (covers(pattern, name)) found.push(subschema);
  }
  const additional = schema["additionalProperties"];
  return found.length === 0 && isJsonObject(additional) ? [additional] : found;
}

/**
 * How many elements have a subschema of their own.
 * @example listedElements([{ prefixItems: [true] }]) // 1
 */
export function listedElements(schemas: readonly JsonObject[]): number {
  return schemas.reduce((most, s) => Math.max(most, elementSchemas(s).first.length), 0);
}

/**
 * What a schema says of the element at `index`: those listed first; of the others `items`, as
 * `additionalItems` does not affect types here.
 * @example schemasOfElement({ items: true }, 3) // [true]
 */
export function schemasOfElement(schema: JsonObject, index: number): Json[] {
  const { first } = elementSchemas(schema);
  if (index < first.length) return [first[index]!];
  const items = schema["items"];
  return isJsonObject(items) || items === true ? [items] : [];
}
