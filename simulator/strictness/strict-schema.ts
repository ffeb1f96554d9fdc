import { isJsonObject, type Json, type JsonObject } from "../../shared/contracts/json.ts";

/** Keywords of OpenAI's strict mode. Source: https://platform.openai.com/docs/guides/structured-outputs */
const supported = new Set([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "anyOf",
  "enum",
  "const",
  "$ref",
  "$defs",
  "definitions",
  "$schema",
  "$id",
  "title",
  "description",
  "pattern",
  "format",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
]);

const formats = new Set([
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uuid",
]);

/** Maximum nesting depth of objects (same source). */
const maxDepth = 10;

/** OpenAI's message for a refused schema; null if it is accepted. */
export function strictSchemaFault(schema: Json | undefined): string | null {
  if (!isJsonObject(schema) || schema.type !== "object") {
    const type = isJsonObject(schema) ? (schema.type ?? "None") : "None";
    return `schema must be a JSON Schema of 'type: "object"', got 'type: "${type}"'.`;
  }
  if (schema.anyOf !== undefined) return "In context=(), 'anyOf' is not permitted at the root.";
  return nodeFault(schema, [], 0);
}

function nodeFault(schema: Json, path: readonly string[], depth: number): string | null {
  const context = `In context=(${path.map((name) => `'${name}'`).join(", ")})`;
  if (!isJsonObject(schema)) return `${context}, a schema must be an object.`;
  if (depth > maxDepth) return `${context}, objects are nested deeper than ${maxDepth} levels.`;
  const fault = keywordFault(schema) ?? objectFault(schema);
  if (fault !== null) return `${context}, ${fault}`;
  for (const [name, child, step] of children(schema)) {
    const nested = nodeFault(child, [...path, ...name], depth + step);
    if (nested !== null) return nested;
  }
  return null;
}

function keywordFault(schema: JsonObject): string | null {
  const unknown = Object.keys(schema).find((keyword) => !supported.has(keyword));
  if (unknown !== undefined) return `'${unknown}' is not permitted.`;
  if (typeof schema.format === "string" && !formats.has(schema.format)) {
    return `'${schema.format}' is not a supported format.`;
  }
  const typed = ["type", "$ref", "anyOf", "enum", "const"].some((k) => schema[k] !== undefined);
  return typed ? null : "schema must have a 'type' key.";
}

function objectFault(schema: JsonObject): string | null {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  if (types.includes("array") && schema.items === undefined) return "array schema missing items.";
  if (!types.includes("object")) return null;
  if (schema.additionalProperties !== false) {
    return "'additionalProperties' is required to be supplied and to be false.";
  }
  const required = Array.isArray(schema.required) ? schema.required : [];
  const names = isJsonObject(schema.properties) ? Object.keys(schema.properties) : [];
  const missing = names.find((name) => !required.includes(name));
  if (missing === undefined) return null;
  return `'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
}

/** Every subschema: its path, the schema, and whether it is one level deeper. */
function children(schema: JsonObject): [string[], Json, number][] {
  const named = (["properties", "$defs", "definitions"] as const).flatMap((keyword) => {
    const map = schema[keyword];
    const entries = isJsonObject(map) ? Object.entries(map) : [];
    const step = keyword === "properties" ? 1 : 0;
    return entries.map(([name, child]): [string[], Json, number] => [[keyword, name], child, step]);
  });
  const branches = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  return [
    ...named,
    ...branches.map((branch, index): [string[], Json, number] => [
      ["anyOf", String(index)],
      branch,
      0,
    ]),
    ...(schema.items === undefined
      ? []
      : [[["items"], schema.items, 0] as [string[], Json, number]]),
  ];
}
