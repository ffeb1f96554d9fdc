import { isJsonObject, type Json, type JsonObject } from "../../../contracts/json.ts";
import { compilePattern } from "../regex/compile-pattern.ts";
import type { Compile } from "./schema-applicators.ts";
import { elementSchemas, mapUnder } from "../index/schema-parts.ts";
import type { Check, SchemaRun } from "./schema-run.ts";

/**
 * The check of `properties`, `patternProperties` and `additionalProperties` together; null where a
 * schema has none of them. Linear in the properties of a value.
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
 * The check of `prefixItems` and `items`, or of a list `items` and `additionalItems`; null where a
 * schema has neither. Linear in the elements of a value.
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
