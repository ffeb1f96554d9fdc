import { isJsonObject, type Json, type JsonObject } from "../../../contracts/json.ts";
import type { Check } from "./schema-run.ts";

/** Compiles a subschema. */
export type Compile = (schema: Json) => Check;

/** Compiles a keyword that contains schemas to a check; null if it checks nothing by itself. */
type Make = (keyword: Json, compile: Compile, schema: JsonObject) => Check | null;

const all = (keyword: Json, compile: Compile) => (keyword as Json[]).map(compile);

const chosen: Make = (condition, compile, schema) => {
  if (schema["then"] === undefined && schema["else"] === undefined) return null;
  const applies = compile(condition);
  const then = compile(schema["then"] ?? true);
  const otherwise = compile(schema["else"] ?? true);
  return (value, run) => (applies(value, run) ? then(value, run) : otherwise(value, run));
};

const negated: Make = (schema, compile) => {
  const check = compile(schema);
  return (value, run) => !check(value, run);
};

const anyOf: Make = (schemas, compile) => {
  const found = all(schemas, compile);
  return (value, run) => found.some((check) => check(value, run));
};

const allOf: Make = (schemas, compile) => {
  const found = all(schemas, compile);
  return (value, run) => found.every((check) => check(value, run));
};

const oneOf: Make = (schemas, compile) => {
  const found = all(schemas, compile);
  return (value, run) => {
    let matches = 0;
    for (const check of found) if (check(value, run) && ++matches > 1) return false;
    return matches === 1;
  };
};

const contains: Make = (schema, compile, { minContains, maxContains }) => {
  const check = compile(schema);
  const least = (minContains ?? 1) as number;
  const most = (maxContains ?? Number.POSITIVE_INFINITY) as number;
  return (value, run) => {
    if (!Array.isArray(value)) return true;
    let matches = 0;
    for (const element of value) if (check(element, run) && ++matches > most) return false;
    return matches >= least;
  };
};

const propertyNames: Make = (schema, compile) => {
  const check = compile(schema);
  return (value, run) =>
    !isJsonObject(value) || Object.keys(value).every((name) => check(name, run));
};

/** Under `dependencies`, a list requires its names; a schema applies to the whole object. */
const dependents: Make = (map, compile) => {
  const found = Object.entries(map as JsonObject).map(
    ([name, part]) => [name, compile(Array.isArray(part) ? { required: part } : part)] as const,
  );
  return (value, run) =>
    !isJsonObject(value) ||
    found.every(([name, check]) => !Object.hasOwn(value, name) || check(value, run));
};

/**
 * The check of each keyword that contains schemas and depends on no other keyword.
 * Source: JSON Schema 2020-12 core, section 10; draft-07 validation, sections 6.4–6.7.
 */
export const applicators: ReadonlyMap<string, Make> = new Map<string, Make>([
  ["if", chosen],
  ["not", negated],
  ["anyOf", anyOf],
  ["allOf", allOf],
  ["oneOf", oneOf],
  ["contains", contains],
  ["propertyNames", propertyNames],
  ["dependentSchemas", dependents],
  ["dependencies", dependents],
]);
