import { isJsonObject, type Json, type JsonObject } from "../../../../contracts/json.ts";
import { type JsonType, jsonType } from "../../../../measures/matching/json-type.ts";
import type { Comparison } from "./category.ts";
import type { DiagnosedField } from "./diagnosed-field.ts";
import type { FieldPlace } from "./field-place.ts";
import type { FieldText } from "./field-text.ts";

/*
 * Classes, not literals: V8 learns from the long-lived expected trees that objects of a literal live long, and would then
 * also move the objects of each answer out of the young generation.
 */

/** A leaf: a scalar, an array of scalars, or an empty object. */
export class FieldNode {
  readonly kind = "field";
  readonly type: Exclude<JsonType, "null">;
  readonly value: Json;
  /** For an expected field: the field of an answer with an identical value, once it is known. */
  met: DiagnosedField | null = null;
  /** Whether the type of `met` is correct. */
  metType = false;
  readonly fields = 1;
  /** The string in compared form, computed on first use. */
  text: FieldText | null = null;
  /** The last comparison of the string with an expected one. */
  compared: { expected: FieldNode; comparison: Comparison } | null = null;
  /** The normalised elements of an array, computed on first use. */
  elements: ReadonlySet<string> | null = null;
  /** Properties of an object that were null and dropped. */
  readonly nulls: ReadonlySet<string> | null;
  /** Its place, for an expected field. */
  place: FieldPlace | null = null;

  constructor(type: FieldNode["type"], value: Json, nulls: ReadonlySet<string> | null = null) {
    this.type = type;
    this.value = value;
    this.nulls = nulls;
  }
}

/** A non-empty object without null properties. */
export class ObjectNode {
  readonly kind = "object";
  readonly children: Map<string, FieldTree>;
  readonly fields: number;
  /** The properties that were null. */
  readonly nulls: ReadonlySet<string> | null;
  /** Its place, if expected. */
  place: FieldPlace | null = null;

  constructor(children: Map<string, FieldTree>, fields: number, nulls: ObjectNode["nulls"]) {
    this.children = children;
    this.fields = fields;
    this.nulls = nulls;
  }
}

/** An array that contains an object or array; null elements have no field. */
export class ListNode {
  readonly kind = "list";
  readonly elements: (FieldTree | null)[];
  readonly fields: number;
  /** Its place, if expected. */
  place: FieldPlace | null = null;

  constructor(elements: (FieldTree | null)[]) {
    this.elements = elements;
    let fields = 0;
    for (const element of elements) fields += element?.fields ?? 0;
    this.fields = fields;
  }
}

/** A JSON value as a tree of fields; each subtree has its number of fields. */
export type FieldTree = FieldNode | ObjectNode | ListNode;

/**
 * The tree of fields of `value`: null properties dropped, arrays of scalars and empty objects as leaves, other arrays
 * as lists of elements. Null for a null root, which has no field. Parts that equal those of `like` at the same place,
 * including nulls, are the same nodes as in `like`, so that cached properties are not computed again. Linear;
 * recursive, so `value` must not be nested deeper than `maxDepth` of `nesting.ts`.
 * Source: docs/spec/extraction.md, section 2.
 * @example fieldTree({ a: null, b: [1] })?.fields // 1
 */
export function fieldTree(value: Json, like: FieldTree | null = null): FieldTree | null {
  if (value === null) return null;
  if (Array.isArray(value)) return arrayNode(value, like);
  if (isJsonObject(value)) return objectNode(value, like);
  if (like?.kind === "field" && like.value === value) return like;
  return new FieldNode(jsonType(value) as FieldNode["type"], value);
}

function arrayNode(value: Json[], like: FieldTree | null): FieldNode | ListNode {
  if (value.some(isStructure)) return listNode(value, like);
  const isLike = like?.kind === "field" && like.type === "array";
  return isLike && isSameList(value, like.value as Json[]) ? like : new FieldNode("array", value);
}

function isStructure(value: Json): boolean {
  return typeof value === "object" && value !== null;
}

function isSameList<Element>(a: readonly Element[], b: readonly Element[]): boolean {
  return a.length === b.length && a.every((element, i) => element === b[i]);
}

/** Creates nothing as long as everything equals `like`, as in most answers. */
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
  return new ListNode(elements);
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

/** The properties that are null in an object; null for any other value. */
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
    ? new FieldNode("object", {}, nulls)
    : new ObjectNode(children, fields, nulls);
}
