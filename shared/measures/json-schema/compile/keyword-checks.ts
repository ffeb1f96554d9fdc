import { validate } from "@cfworker/json-schema";
import { isJsonObject, type Json, type JsonObject } from "../../../contracts/json.ts";
import type { Draft } from "../index/schema-keywords.ts";
import { compilePattern } from "../regex/compile-pattern.ts";
import { hasFormat } from "./formats.ts";
import type { Steps } from "./schema-run.ts";

/** Whether a value is valid for one keyword. */
export type KeywordCheck = (value: Json, run: Steps) => boolean;

/**
 * Compiles a keyword with a valid value to a check; the check accepts values of types that the keyword does not apply
 * to.
 */
type Make = (keyword: Json, draft?: Draft) => KeywordCheck;

/** One function for each type, shared by all schemas, for the processor's cache. */
const typeChecks: Readonly<Record<string, (value: Json) => boolean>> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: (value) => isJsonObject(value),
};

const hasType: Make = (type) => {
  if (!Array.isArray(type)) return typeChecks[type as string]!;
  const found = type.map((one) => typeChecks[one as string]!);
  return (value) => found.some((check) => check(value));
};

function forNumber(holds: (value: number, limit: number) => boolean): Make {
  return (limit) => (value) => typeof value !== "number" || holds(value, limit as number);
}

function forList(holds: (length: number, limit: number) => boolean): Make {
  return (limit) => (value) => !Array.isArray(value) || holds(value.length, limit as number);
}

function forNames(holds: (count: number, limit: number) => boolean): Make {
  return (limit) => (value) =>
    !isJsonObject(value) || holds(Object.keys(value).length, limit as number);
}

/** Characters are code points: at most as many as code units, and at least half as many. */
function forText(holds: (length: number, limit: number) => boolean): Make {
  return (limit) => (value, run) => {
    if (typeof value !== "string") return true;
    const { length } = value;
    const most = holds(length, limit as number);
    if (most === holds(Math.ceil(length / 2), limit as number)) return most;
    run.spend(length / 16);
    return holds([...value].length, limit as number);
  };
}

const isScalar = (value: Json) => typeof value !== "object" || value === null;

const isOneOf: Make = (allowed) => {
  const scalars = new Set<Json>((allowed as Json[]).filter(isScalar));
  const others = new Set((allowed as Json[]).filter((one) => !isScalar(one)).map(valueKey));
  return (value, run) =>
    isScalar(value) ? scalars.has(value) : others.size > 0 && others.has(key(value, run));
};

/** The key of a value; spends about as many steps as the key has characters. */
function key(value: Json, run: Steps): string {
  const text = valueKey(value);
  run.spend(text.length / 16);
  return text;
}

const hasPattern: Make = (pattern) => {
  const compiled = compilePattern(pattern as string);
  return (value, run) =>
    typeof value !== "string" ||
    compiled?.test(value, (steps) => run.spend(steps, pattern as string)) === true;
};

const hasNames: Make = (names) => (value) => {
  if (!isJsonObject(value)) return true;
  for (const name of names as string[]) if (!Object.hasOwn(value, name)) return false;
  return true;
};

const hasDependents: Make = (dependents) => {
  const checks = Object.entries(dependents as JsonObject).map(
    ([name, names]) => [name, hasNames(names)] as const,
  );
  return (value, run) =>
    !isJsonObject(value) ||
    checks.every(([name, check]) => !Object.hasOwn(value, name) || check(value, run));
};

const isUnique: Make = (unique) => (value, run) => {
  if (unique !== true || !Array.isArray(value)) return true;
  return new Set(value.map((element) => key(element, run))).size === value.length;
};

/** Exact in decimals: 19.99 is a multiple of 0.01. Whole numbers don't need this. */
const isMultiple: Make = (divisor) => (value, run) => {
  if (typeof value !== "number") return true;
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) {
    return value % (divisor as number) === 0;
  }
  run.spend(10);
  return validate(value, { multipleOf: divisor as number }, "2020-12").valid;
};

const isFormatted: Make = (format, draft) => (value, run) => {
  if (typeof value !== "string") return true;
  run.spend(10);
  return hasFormat(value, format as string, draft);
};

/**
 * The check of each keyword that depends on no other schema.
 * Source: JSON Schema 2020-12 validation, sections 6 and 7; draft-07 likewise.
 */
export const checks: ReadonlyMap<string, Make> = new Map<string, Make>([
  ["type", hasType],
  ["const", (constant) => isOneOf([constant])],
  ["enum", isOneOf],
  ["required", hasNames],
  ["pattern", hasPattern],
  ["format", isFormatted],
  ["minimum", forNumber((value, limit) => value >= limit)],
  ["maximum", forNumber((value, limit) => value <= limit)],
  ["exclusiveMinimum", forNumber((value, limit) => value > limit)],
  ["exclusiveMaximum", forNumber((value, limit) => value < limit)],
  ["multipleOf", isMultiple],
  ["minLength", forText((length, limit) => length >= limit)],
  ["maxLength", forText((length, limit) => length <= limit)],
  ["minItems", forList((length, limit) => length >= limit)],
  ["maxItems", forList((length, limit) => length <= limit)],
  ["uniqueItems", isUnique],
  ["minProperties", forNames((count, limit) => count >= limit)],
  ["maxProperties", forNames((count, limit) => count <= limit)],
  ["dependentRequired", hasDependents],
]);

/**
 * A text that is equal for two JSON values exactly if they are equal; ignores the order of properties and compares
 * numbers by value. Linear except for sorting names; recursive.
 * Source: JSON Schema 2020-12 core, section 4.2.2.
 * @example valueKey({ b: 1, a: 2 }) === valueKey({ a: 2.0, b: 1 }) // true
 */
export function valueKey(value: Json): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(valueKey).join()}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${valueKey(value[name]!)}`).join()}}`;
}
