import { isJsonObject, type Json, type JsonObject } from "../../shared/contracts/json.ts";
import type { Draws } from "../draws.ts";
import {
  isRequired,
  itemSchema,
  propertyNames,
  propertySchema,
  schemaBranches,
} from "./navigate.ts";

/** Inputs of values: the schema's root (for `$ref`), a text with words to use, and random draws. */
export interface ValueSource {
  root: Json;
  text: string;
  draws: Draws;
}

/** Deeper optional properties are omitted, so that recursive schemas end. */
const maxDepth = 4;

/** Deeper required properties are omitted, too: the schema has no finite value. */
const maxRequiredDepth = 12;

const formatted: Record<string, string> = {
  date: "2024-01-15",
  "date-time": "2024-01-15T09:30:00Z",
  time: "09:30:00Z",
  duration: "P1D",
  email: "someone@example.com",
  hostname: "example.com",
  uri: "https://example.com/",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uuid: "00000000-0000-4000-8000-000000000000",
};

/** A plausible value for `schema`, with strings from the text. */
export function generateValue(source: ValueSource, schema: Json | undefined, depth = 0): Json {
  const branches = schemaBranches(source.root, schema);
  const first = (keyword: string) =>
    branches.find((branch) => branch[keyword] !== undefined)?.[keyword];
  const constant = first("const");
  if (constant !== undefined) return constant;
  const choices = first("enum");
  if (Array.isArray(choices) && choices.length > 0) return source.draws.pick(choices);
  const type = first("type") ?? (first("properties") === undefined ? "string" : "object");
  const merged: JsonObject = Object.assign({}, ...branches.toReversed());
  switch (Array.isArray(type) ? (type.find((t) => t !== "null") ?? "null") : type) {
    case "object":
      return generateObject(source, branches, depth);
    case "array":
      return generateArray(source, merged, depth);
    case "integer":
      return Math.round(generateNumber(source, merged));
    case "number":
      return generateNumber(source, merged);
    case "boolean":
      return source.draws.chance(0.5);
    case "null":
      return null;
    default:
      return generateString(source, merged);
  }
}

function generateObject(source: ValueSource, branches: JsonObject[], depth: number): JsonObject {
  const result: JsonObject = {};
  for (const name of propertyNames(branches)) {
    const limit = isRequired(branches, name) ? maxRequiredDepth : maxDepth;
    if (depth >= limit) continue;
    result[name] = generateValue(source, propertySchema(source.root, branches, name), depth + 1);
  }
  return result;
}

function generateArray(source: ValueSource, schema: JsonObject, depth: number): Json[] {
  const least = typeof schema.minItems === "number" ? schema.minItems : 0;
  const length = depth >= maxDepth || schema.maxItems === 0 ? least : Math.max(1, least);
  return Array.from({ length }, (_, index) =>
    generateValue(source, itemSchema(source.root, schema, index), depth + 1),
  );
}

function generateNumber({ text, draws }: ValueSource, schema: JsonObject): number {
  const found = text.match(/\d+(?:\.\d+)?/g)?.map(Number) ?? [];
  const value = found.length > 0 ? draws.pick(found) : draws.index(100);
  const low = typeof schema.minimum === "number" ? schema.minimum : Number.NEGATIVE_INFINITY;
  const high = typeof schema.maximum === "number" ? schema.maximum : Number.POSITIVE_INFINITY;
  return Math.min(high, Math.max(low, value));
}

function generateString(source: ValueSource, schema: JsonObject): string {
  const fixed = typeof schema.format === "string" ? formatted[schema.format] : undefined;
  if (fixed !== undefined) return fixed;
  const least = typeof schema.minLength === "number" ? schema.minLength : 0;
  const most = typeof schema.maxLength === "number" ? schema.maxLength : undefined;
  return snippet(source).padEnd(least, ".").slice(0, most);
}

/** One to three consecutive words of the text; "unknown" if it has none. */
export function snippet({ text, draws }: Pick<ValueSource, "text" | "draws">): string {
  const start = draws.index(Math.max(1, text.length - 40));
  const words = text
    .slice(start, start + 80)
    .split(/\s+/)
    .filter(Boolean);
  const whole = start > 0 && words.length > 2 ? words.slice(1, -1) : words;
  return whole.slice(0, 1 + draws.index(3)).join(" ") || "unknown";
}

/** Whether `value` is an object or an array that contains one. */
export function isStructural(value: Json): boolean {
  return Array.isArray(value)
    ? value.some((element) => typeof element === "object" && element !== null)
    : isJsonObject(value);
}
