import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";
import { type JsonType, jsonType } from "../../measures/json-type.ts";
import type { TextSketch } from "../../measures/text-sketch.ts";

/** A leaf: a scalar, an array of scalars, or an empty object. */
export interface FieldNode {
  kind: "field";
  type: Exclude<JsonType, "null">;
  value: Json;
  fields: 1;
  /** The normalised string, filled in when it is first needed. */
  text: string | null;
  /** Its words, likewise. */
  tokens: ReadonlySet<string> | null;
  /** The normalised elements of an array, likewise. */
  elements: ReadonlySet<string> | null;
  /** What bounds its similarity with other strings, likewise. */
  sketch: TextSketch | null;
  /** Properties of an object that were null and dropped. */
  nulls: ReadonlySet<string> | null;
}

/** A non-empty object, nulls dropped. */
export interface ObjectNode {
  kind: "object";
  children: Map<string, FieldTree>;
  fields: number;
  /** The properties that were null. */
  nulls: ReadonlySet<string> | null;
}

/** An array that holds an object or array; null elements hold no field. */
export interface ListNode {
  kind: "list";
  elements: (FieldTree | null)[];
  fields: number;
}

/** A JSON value as its fields, each subtree with the number of fields in it. */
export type FieldTree = FieldNode | ObjectNode | ListNode;

/**
 * The fields of `value`: properties that are null dropped, arrays of scalars and empty objects as
 * leaves, other arrays as lists of elements. Null for a null root, which holds no field. Linear;
 * recursive, so `value` must not be nested deeper than `maxDepth` of `read-output.ts`.
 * Source: specification of the extraction suite, section 2.
 * @example fieldTree({ a: null, b: [1] })?.fields // 1
 */
export function fieldTree(value: Json): FieldTree | null {
  if (value === null) return null;
  if (Array.isArray(value)) return value.some(isStructure) ? listNode(value) : leaf("array", value);
  if (isJsonObject(value)) return objectNode(value);
  return leaf(jsonType(value) as FieldNode["type"], value);
}

function leaf(
  type: FieldNode["type"],
  value: Json,
  nulls: ReadonlySet<string> | null = null,
): FieldNode {
  return {
    kind: "field",
    type,
    value,
    fields: 1,
    text: null,
    tokens: null,
    elements: null,
    sketch: null,
    nulls,
  };
}

function isStructure(value: Json): boolean {
  return typeof value === "object" && value !== null;
}

function listNode(value: Json[]): ListNode {
  const elements = value.map(fieldTree);
  return { kind: "list", elements, fields: countFields(elements) };
}

function objectNode(value: JsonObject): FieldTree {
  const children = new Map<string, FieldTree>();
  let nulls: Set<string> | null = null;
  let fields = 0;
  for (const name of Object.keys(value)) {
    const child = fieldTree(value[name]!);
    if (child === null) {
      nulls ??= new Set();
      nulls.add(name);
    } else {
      children.set(name, child);
      fields += child.fields;
    }
  }
  return children.size === 0
    ? leaf("object", {}, nulls)
    : { kind: "object", children, fields, nulls };
}

function countFields(elements: readonly (FieldTree | null)[]): number {
  let fields = 0;
  for (const element of elements) fields += element?.fields ?? 0;
  return fields;
}
