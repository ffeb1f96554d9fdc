import { isJsonObject, type JsonObject } from "../../../contracts/json.ts";
import type { Compile } from "./schema-applicators.ts";
import { mapUnder } from "../index/schema-parts.ts";
import type { Check } from "./schema-run.ts";

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
 * The check of a schema of one of the two shapes that most schemas with parts have: an object with
 * `properties` and `required`, closed or not, and an array with `items`. Null for any other. It is what
 * its keywords check one by one, in one function: some twenty objects less to visit for each part of a
 * value, which is what judging mostly waits for.
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
