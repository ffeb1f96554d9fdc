import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";
import { UndecidedError, whyUndecided } from "./compile/schema-run.ts";
import { elementSchemas, listUnder, mapUnder } from "./index/schema-parts.ts";
import { compilePattern } from "./regex/compile-pattern.ts";

/*
 * What the subschemas of a place say about the places below it: the common basis of the types, the required fields
 * and the complexity of fields.
 * Source: docs/spec/extraction.md, section 5, type accuracy.
 */

/** Finds the subschema that a `$ref` names, or undefined. */
export type ResolveRef = (schema: JsonObject) => Json | undefined;

const branchKeywords = ["allOf", "anyOf", "oneOf"] as const;

/** Longer property names match no pattern here: schemas don't target them, and matching is expensive. */
const maxNameLength = 1_000;

/** Steps for one name and pattern: enough for a name of maximum length in all but unusual patterns. */
const maxNameSteps = 20_000;

/** Whether `pattern` matches a name; false if that takes too many steps. */
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
 * Whether a schema describes the elements of an array.
 * @example hasElements({ items: true }) // true
 */
export function hasElements(schema: JsonObject): boolean {
  return "items" in schema || "prefixItems" in schema;
}

/**
 * Whether a schema describes properties of an object by name.
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
 * Whether a schema describes properties that it does not list.
 * @example describesUnlisted({ additionalProperties: { type: "string" } }) // true
 */
export function describesUnlisted(schema: JsonObject): boolean {
  return "patternProperties" in schema || isJsonObject(schema["additionalProperties"]);
}

/**
 * `schemas` and all others that apply to the same place: targets of a `$ref`, with the keywords next to it, and every
 * branch of `allOf`, `anyOf` and `oneOf`. Not recursive, because `$ref`s can form long chains. Linear.
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
 * The subschemas for property `name`: under `properties` and `patternProperties`, or under `additionalProperties` if
 * neither contains it.
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
 * How many elements have their own subschema.
 * @example listedElements([{ prefixItems: [true] }]) // 1
 */
export function listedElements(schemas: readonly JsonObject[]): number {
  return schemas.reduce((most, s) => Math.max(most, elementSchemas(s).first.length), 0);
}

/**
 * The subschemas for the element at `index`: those listed, or for later ones `items`; `additionalItems` does not
 * affect types here.
 * @example schemasOfElement({ items: true }, 3) // [true]
 */
export function schemasOfElement(schema: JsonObject, index: number): Json[] {
  const { first } = elementSchemas(schema);
  if (index < first.length) return [first[index]!];
  const items = schema["items"];
  return isJsonObject(items) || items === true ? [items] : [];
}
