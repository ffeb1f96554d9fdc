import { isJsonObject, type Json, type JsonObject } from "../../../contracts/json.ts";
import { elementSchemas, mapUnder } from "../index/schema-parts.ts";
import { compilePattern } from "../regex/compile-pattern.ts";
import type { Compile } from "./schema-applicators.ts";
import type { Check, SchemaRun } from "./schema-run.ts";

/**
 * The combined check of `properties`, `patternProperties` and `additionalProperties`; null if a schema has none of
 * them. Linear in the properties of a value.
 * @example propertiesCheck({ additionalProperties: false }, compile)?.({ a: 1 }, run) // false
 */
export function propertiesCheck(schema: JsonObject, compile: Compile): Check | null {
  const { properties, patternProperties, additionalProperties } = schema;
  if (!properties && !patternProperties && additionalProperties === undefined) return null;
  const parts = Object.entries(mapUnder(schema, "properties"));
  const named = new Map(parts.map(([name, part]) => [name, compile(part)]));
  const patterns = Object.entries(mapUnder(schema, "patternProperties")).map(
    ([pattern, part]) => [pattern, compilePattern(pattern)!, compile(part)] as const,
  );
  const additional = additionalProperties === undefined ? null : compile(additionalProperties);
  const others = (name: string, value: Json, run: SchemaRun, named: boolean) => {
    let covered = named;
    for (const [source, pattern, check] of patterns) {
      run.spend(1);
      if (!pattern.test(name, (steps) => run.spend(steps, source))) continue;
      if (!check(value, run)) return false;
      covered = true;
    }
    return covered || additional === null || additional(value, run);
  };
  const patterned = patterns.length > 0;
  return (value, run) => {
    if (!isJsonObject(value)) return true;
    for (const name of Object.keys(value)) {
      const own = named.get(name);
      if (own !== undefined && !own(value[name]!, run)) return false;
      const isNamed = own !== undefined;
      if ((patterned || !isNamed) && !others(name, value[name]!, run, isNamed)) return false;
    }
    return true;
  };
}

/**
 * The combined check of `prefixItems` and `items`, or of a list `items` and `additionalItems`; null if a schema has
 * neither. Linear in the elements of a value.
 * @example elementsCheck({ items: { type: "string" } }, compile)?.([1], run) // false
 */
export function elementsCheck(schema: JsonObject, compile: Compile): Check | null {
  const { first, rest: others } = elementSchemas(schema);
  if (first.length === 0 && others === undefined) return null;
  const prefix = first.map(compile);
  const rest = others === undefined ? null : compile(others);
  return (value, run) => {
    if (!Array.isArray(value)) return true;
    const { length } = rest === null ? prefix : value;
    for (let i = 0; i < length && i < value.length; i++) {
      if (!(prefix[i] ?? rest!)(value[i]!, run)) return false;
    }
    return true;
  };
}

/** Keywords that check nothing by themselves. */
const silent = ["$defs", "definitions"];

const ofObjects: ReadonlySet<string> = new Set([
  ...silent,
  "type",
  "properties",
  "required",
  "additionalProperties",
]);
const ofArrays: ReadonlySet<string> = new Set([...silent, "type", "items"]);

/**
 * The check of a schema with one of the two most frequent shapes: an object with `properties` and `required`, closed
 * or not, and an array with `items`. Null for any other shape. Same result as the keywords one by one, but in one
 * function, which visits about twenty fewer objects for each part of a value; these visits take most of the time.
 * @example shapeCheck({ type: "array", items: { type: "string" } }, compile)?.([1], run) // false
 */
export function shapeCheck(schema: JsonObject, compile: Compile): Check | null {
  const keywords = Object.keys(schema);
  if (schema["type"] === "object" && keywords.every((name) => ofObjects.has(name))) {
    return objectCheck(schema, compile);
  }
  const isArray = schema["type"] === "array" && keywords.every((name) => ofArrays.has(name));
  return isArray && !Array.isArray(schema["items"]) ? arrayCheck(schema, compile) : null;
}

function objectCheck(schema: JsonObject, compile: Compile): Check {
  const { required, additionalProperties } = schema;
  const parts = Object.entries(mapUnder(schema, "properties"));
  const named = new Map(parts.map(([name, part]) => [name, compile(part)]));
  const names = (required ?? []) as string[];
  const other = compile(additionalProperties ?? true);
  return (value, run) => {
    run.spend(1);
    if (!isJsonObject(value)) return false;
    for (const name of names) if (!Object.hasOwn(value, name)) return false;
    for (const name of Object.keys(value)) {
      if (!(named.get(name) ?? other)(value[name]!, run)) return false;
    }
    return true;
  };
}

function arrayCheck(schema: JsonObject, compile: Compile): Check {
  const item = compile(schema["items"] ?? true);
  return (value, run) => {
    run.spend(1);
    if (!Array.isArray(value)) return false;
    for (const element of value) if (!item(element, run)) return false;
    return true;
  };
}
