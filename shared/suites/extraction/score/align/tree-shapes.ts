import type { Json } from "../../../../contracts/json.ts";
import type { FieldType } from "../fields/diagnosed-field.ts";
import type { FieldNode, FieldTree } from "../fields/flatten.ts";

/**
 * Whether two leaves are compared at all: an array only with an array, `{}` only with `{}`, scalars
 * with any scalar.
 * Source: docs/spec/extraction.md, section 4.
 * @example comparable(field([]), field("a")) // false
 */
export function comparable(expected: FieldNode, predicted: FieldNode): boolean {
  if (expected.type === predicted.type) return true;
  return isScalar(expected) && isScalar(predicted);
}

function isScalar(field: FieldNode): boolean {
  return field.type !== "array" && field.type !== "object";
}

/**
 * Whether two leaves hold the very same value, so that the field of one is the field of the other.
 * @example isSame(field("a"), field("A")) // false
 */
export function isSame(e: FieldNode, p: FieldNode): boolean {
  if (e.type !== p.type) return false;
  if (e.type === "object") return true;
  if (e.type !== "array") return e.value === p.value;
  const [a, b] = [e.value as Json[], p.value as Json[]];
  return a.length === b.length && a.every((element, i) => element === b[i]);
}

/**
 * The JSON type of a value from its tree.
 * @example typeOf(fieldTree([{}])) // "array"
 */
export function typeOf(tree: FieldTree): FieldType {
  if (tree.kind === "field") return tree.type;
  return tree.kind === "list" ? "array" : "object";
}

/**
 * Whether `tree` is `[]` or `{}` where `other` is a filled array of objects or a filled object: then it is
 * no field itself.
 * Source: docs/spec/extraction.md, section 2.2.
 * @example isEmptyOf(fieldTree([]), fieldTree([{ a: 1 }])) // true
 */
export function isEmptyOf(tree: FieldTree, other: FieldTree): boolean {
  if (tree.kind !== "field") return false;
  if (other.kind === "object") return tree.type === "object";
  return other.kind === "list" && tree.type === "array" && (tree.value as Json[]).length === 0;
}
