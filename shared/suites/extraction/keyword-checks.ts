import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";
import { deepEquals } from "../../measures/deep-equals.ts";
import { jsonType } from "../../measures/json-type.ts";
import { compilePattern } from "./compile-pattern.ts";

/** Whether a value is valid. */
export type Check = (value: Json) => boolean;

/** Prepares a subschema. */
type Compile = (schema: Json) => Check;

/** Turns a keyword, whose value the draft allows, into a check that accepts what it is not about. */
type Make = (keyword: Json, compile: Compile, schema: JsonObject) => Check;

const hasType = (type: Json): Check =>
  type === "integer" ? (value) => Number.isInteger(value) : (value) => jsonType(value) === type;

const all = (keyword: Json, compile: Compile) => (keyword as Json[]).map(compile);

function forNumber(holds: (value: number, limit: number) => boolean): Make {
  return (limit) => (value) => typeof value !== "number" || holds(value, limit as number);
}

function forText(holds: (length: number, limit: number) => boolean): Make {
  return (limit) => (value) =>
    typeof value !== "string" || holds([...value].length, limit as number);
}

function forList(holds: (length: number, limit: number) => boolean): Make {
  return (limit) => (value) => !Array.isArray(value) || holds(value.length, limit as number);
}

const isOneOf: Make = (allowed) => {
  const isScalar = (one: Json) => typeof one !== "object" || one === null;
  const scalars = new Set<Json>((allowed as Json[]).filter(isScalar));
  const others = (allowed as Json[]).filter((one) => !isScalar(one));
  return (value) => scalars.has(value) || others.some((other) => deepEquals(other, value));
};

const matchesPattern: Make = (pattern) => {
  const regex = compilePattern(pattern as string);
  return (value) => typeof value !== "string" || regex?.test(value) === true;
};

const hasNames: Make = (names) => (value) => {
  if (!isJsonObject(value)) return true;
  for (const name of names as string[]) if (!Object.hasOwn(value, name)) return false;
  return true;
};

const choose: Make = (condition, compile, schema) => {
  const applies = compile(condition);
  const then = compile(schema["then"] ?? true);
  const otherwise = compile(schema["else"] ?? true);
  return (value) => (applies(value) ? then(value) : otherwise(value));
};

/**
 * The check of each keyword that stands by itself. What is missing here the full validator knows.
 * Source: JSON Schema 2020-12 validation, sections 6.1–6.5; core, section 10.2.
 */
export const checks: ReadonlyMap<string, Make> = new Map<string, Make>([
  ["type", (type) => (Array.isArray(type) ? anyOf(type.map(hasType)) : hasType(type))],
  ["const", (constant) => (value) => deepEquals(constant, value)],
  ["enum", isOneOf],
  ["required", hasNames],
  ["pattern", matchesPattern],
  ["minimum", forNumber((value, limit) => value >= limit)],
  ["maximum", forNumber((value, limit) => value <= limit)],
  ["exclusiveMinimum", forNumber((value, limit) => value > limit)],
  ["exclusiveMaximum", forNumber((value, limit) => value < limit)],
  ["minLength", forText((length, limit) => length >= limit)],
  ["maxLength", forText((length, limit) => length <= limit)],
  ["minItems", forList((length, limit) => length >= limit)],
  ["maxItems", forList((length, limit) => length <= limit)],
  ["not", (schema, compile) => negated(compile(schema))],
  ["if", choose],
  ["anyOf", (schemas, compile) => anyOf(all(schemas, compile))],
  ["allOf", (schemas, compile) => allOf(all(schemas, compile))],
  ["oneOf", (schemas, compile) => exactlyOne(all(schemas, compile))],
]);

function anyOf(found: readonly Check[]): Check {
  return (value) => found.some((check) => check(value));
}

function allOf(found: readonly Check[]): Check {
  return (value) => found.every((check) => check(value));
}

function negated(check: Check): Check {
  return (value) => !check(value);
}

function exactlyOne(found: readonly Check[]): Check {
  return (value) => found.filter((check) => check(value)).length === 1;
}

/**
 * The check of `properties`, `patternProperties` and `additionalProperties` together; null where a
 * schema has none of them. Linear in the properties of a value.
 * @example propertiesCheck({ additionalProperties: false }, compile)?.({ a: 1 }) // false
 */
export function propertiesCheck(schema: JsonObject, compile: Compile): Check | null {
  const { properties, patternProperties, additionalProperties } = schema;
  if (!properties && !patternProperties && additionalProperties === undefined) return null;
  const named = new Map(entries(properties).map(([name, part]) => [name, compile(part)]));
  const patterns = entries(patternProperties).map(
    ([pattern, part]) => [compilePattern(pattern)!, compile(part)] as const,
  );
  const additional = compile(additionalProperties ?? true);
  const unnamed = (name: string, value: Json, covered: boolean) => {
    const matching = patterns.filter(([pattern]) => pattern.test(name));
    if (matching.length === 0) return covered || additional(value);
    return matching.every(([, check]) => check(value));
  };
  const patterned = patterns.length > 0;
  return (value) => {
    if (!isJsonObject(value)) return true;
    for (const name of Object.keys(value)) {
      const own = named.get(name);
      if (own !== undefined && !own(value[name]!)) return false;
      if ((own === undefined || patterned) && !unnamed(name, value[name]!, own !== undefined)) {
        return false;
      }
    }
    return true;
  };
}

function entries(map: Json | undefined): [string, Json][] {
  return isJsonObject(map) ? Object.entries(map) : [];
}

/**
 * The check of `prefixItems` and `items` together; null where a schema has neither. Linear.
 * @example elementsCheck({ items: { type: "string" } }, compile)?.([1]) // false
 */
export function elementsCheck(schema: JsonObject, compile: Compile): Check | null {
  const { prefixItems, items } = schema;
  if (prefixItems === undefined && items === undefined) return null;
  const prefix = Array.isArray(prefixItems) ? prefixItems.map(compile) : [];
  const rest = compile(Array.isArray(items) ? true : (items ?? true));
  return (value) =>
    !Array.isArray(value) || value.every((element, i) => (prefix[i] ?? rest)(element));
}
