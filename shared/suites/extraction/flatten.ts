import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";
import { type JsonType, jsonType } from "../../measures/json-type.ts";
import type { Comparison } from "./category.ts";
import type { DiagnosedField } from "./diagnosed-field.ts";
import type { FieldPlace } from "./field-place.ts";
import type { FieldText } from "./field-text.ts";

/** A leaf: a scalar, an array of scalars, or an empty object. */
export interface FieldNode {
  kind: "field";
  type: Exclude<JsonType, "null">;
  value: Json;
  fields: 1;
  /** The string as it is compared, filled in when it is first needed. */
  text: FieldText | null;
  /** The expected string that it was last compared with, and the outcome. */
  compared: { expected: FieldNode; comparison: Comparison } | null;
  /** The normalised elements of an array, filled in when they are first needed. */
  elements: ReadonlySet<string> | null;
  /** Properties of an object that were null and dropped. */
  nulls: ReadonlySet<string> | null;
  /** Where it stands, of an expected field. */
  place: FieldPlace | null;
  /** Of an expected field, that of an answer with the very same value, once there was one. */
  met: DiagnosedField | null;
  /** Whether its type is correct. */
  metType: boolean;
}

/** A non-empty object, nulls dropped. */
export interface ObjectNode {
  kind: "object";
  children: Map<string, FieldTree>;
  fields: number;
  /** The properties that were null. */
  nulls: ReadonlySet<string> | null;
  /** Where it stands, if expected. */
  place: FieldPlace | null;
}

/** An array that holds an object or array; null elements hold no field. */
export interface ListNode {
  kind: "list";
  elements: (FieldTree | null)[];
  fields: number;
  /** Where it stands, if expected. */
  place: FieldPlace | null;
}

/** A JSON value as its fields, each subtree with the number of fields in it. */
export type FieldTree = FieldNode | ObjectNode | ListNode;

/**
 * The fields of `value`: properties that are null dropped, arrays of scalars and empty objects as
 * leaves, other arrays as lists of elements. Null for a null root, which holds no field. Parts that are
 * the same as those of `like` at their place, nulls and all, are the very nodes of `like`: what is known
 * of these need not be worked out again. Linear; recursive, so `value` must not be nested deeper than
 * `maxDepth` of `nesting.ts`.
 * Source: specification of the extraction suite, section 2.
 * @example fieldTree({ a: null, b: [1] })?.fields // 1
 */
export function fieldTree(value: Json, like: FieldTree | null = null): FieldTree | null {
  if (value === null) return null;
  if (Array.isArray(value)) return arrayNode(value, like);
  if (isJsonObject(value)) return objectNode(value, like);
  if (like?.kind === "field" && like.value === value) return like;
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
    met: null,
    metType: false,
    fields: 1,
    text: null,
    compared: null,
    elements: null,
    nulls,
    place: null,
  };
}

function arrayNode(value: Json[], like: FieldTree | null): FieldNode | ListNode {
  if (value.some(isStructure)) return listNode(value, like);
  const isLike = like?.kind === "field" && like.type === "array";
  return isLike && isSameList(value, like.value as Json[]) ? like : leaf("array", value);
}

function isStructure(value: Json): boolean {
  return typeof value === "object" && value !== null;
}

function isSameList<Element>(a: readonly Element[], b: readonly Element[]): boolean {
  return a.length === b.length && a.every((element, i) => element === b[i]);
}

/** Nothing new is made as long as all is as in `like`: much of most answers is. */
function listNode(value: Json[], like: FieldTree | null): ListNode {
  const similar = like?.kind === "list" ? like : null;
  let elements: ListNode["elements"] | null = similar?.elements.length === value.length ? null : [];
  for (let i = 0; i < value.length; i++) {
    const wanted = similar?.elements[i] ?? null;
    const element = fieldTree(value[i]!, wanted);
    if (elements === null && element !== wanted) elements = similar!.elements.slice(0, i);
    elements?.push(element);
  }
  if (elements === null) return similar!;
  return { kind: "list", elements, fields: countFields(elements), place: null };
}

const noChildren: ObjectNode["children"] = new Map();

function objectNode(value: JsonObject, like: FieldTree | null): FieldTree {
  const similar = like?.kind === "object" ? like.children : noChildren;
  const nulls = likeNulls(like);
  const names = Object.keys(value);
  const mayBeSame = nulls !== null && names.length === similar.size + nulls.size;
  let parts: (FieldTree | null)[] | null = mayBeSame ? null : [];
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!;
    const wanted = similar.get(name) ?? null;
    const part = fieldTree(value[name]!, wanted);
    if (parts === null && (part !== wanted || (part === null && !nulls!.has(name)))) {
      parts = names.slice(0, i).map((before) => similar.get(before) ?? null);
    }
    parts?.push(part);
  }
  return parts === null ? like! : newObject(names, parts);
}

const noNulls: ReadonlySet<string> = new Set();

/** The properties that are null in an object; null for what is none. */
function likeNulls(tree: FieldTree | null): ReadonlySet<string> | null {
  if (tree === null || tree.kind === "list") return null;
  return tree.kind === "object" || tree.type === "object" ? (tree.nulls ?? noNulls) : null;
}

function newObject(names: readonly string[], parts: readonly (FieldTree | null)[]): FieldTree {
  const children = new Map<string, FieldTree>();
  let nulls: Set<string> | null = null;
  let fields = 0;
  for (const [i, name] of names.entries()) {
    const part = parts[i]!;
    if (part === null) {
      nulls ??= new Set();
      nulls.add(name);
    } else {
      children.set(name, part);
      fields += part.fields;
    }
  }
  return children.size === 0
    ? leaf("object", {}, nulls)
    : { kind: "object", children, fields, nulls, place: null };
}

function countFields(elements: readonly (FieldTree | null)[]): number {
  let fields = 0;
  for (const element of elements) fields += element?.fields ?? 0;
  return fields;
}
