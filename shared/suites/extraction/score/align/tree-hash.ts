import type { Json } from "../../../../contracts/json.ts";
import { normalizeText } from "../../../../measures/text/normalize-text.ts";
import { hash32, wellMixed } from "../../../../stats/hash32.ts";
import type { MatchRules } from "../composite.ts";
import { exactMatch } from "../exact-match.ts";
import type { FieldType } from "../fields/diagnosed-field.ts";
import { fieldText } from "../fields/field-text.ts";
import type { FieldNode, FieldTree } from "../fields/field-tree.ts";

/**
 * A 32-bit hash of the fields of a tree: equal for trees that are equal after normalisation, in any order of
 * properties. Linear; recursive.
 * @example treeHash(tree({ a: "X", b: 1 }), rules) === treeHash(tree({ b: 1, a: "x" }), rules) // true
 */
export function treeHash(tree: FieldTree, rules: MatchRules): number {
  if (tree.kind === "field") return leafHash(tree, rules);
  if (tree.kind === "list") {
    return tree.elements.reduce<number>(
      (hash, element) => mixed(hash, element === null ? 0 : treeHash(element, rules)),
      1,
    );
  }
  let sum = 0;
  for (const [name, child] of tree.children) sum += propertyHash(name, child, rules);
  return sum >>> 0;
}

/**
 * A property's contribution to the hash of its object, which is the sum of these, modulo 2³².
 * @example propertyHash("a", tree(1), rules)
 */
export function propertyHash(name: string, tree: FieldTree, rules: MatchRules): number {
  return mixed(hash32(name), treeHash(tree, rules));
}

/**
 * Two hashes as one, in their order.
 * @example mixed(1, 2) !== mixed(2, 1) // true
 */
export const mixed = (a: number, b: number): number => wellMixed(Math.imul(a, 0x01000193) ^ b);

function leafHash(field: FieldNode, rules: MatchRules): number {
  if (field.type === "string") return hash32(fieldText(field, rules).normal);
  if (field.type === "array") {
    return (field.value as Json[]).reduce<number>(
      (hash, value) => mixed(hash, scalarHash(value, rules)),
      2,
    );
  }
  return field.type === "object" ? 3 : scalarHash(field.value, rules);
}

function scalarHash(value: Json, rules: MatchRules): number {
  return hash32(typeof value === "string" ? normalizeText(value, rules) : String(value));
}

/** The elements of an array; null for an element without fields. */
export type Elements = readonly (FieldTree | null)[];

/**
 * For each expected element the index of its predicted one, or −1: pairs each with the first unused predicted
 * element that has identical fields after normalisation; null elements stay unpaired. Linear in the fields.
 * @example pairSame(list([1, 2]).elements, list([2, 3]).elements, rules) // [-1, 0]
 */
export function pairSame(expected: Elements, predicted: Elements, rules: MatchRules): Int32Array {
  const unused = new Map<number, number[]>();
  predicted.forEach((element, j) => {
    if (element === null) return;
    const hash = treeHash(element, rules);
    const same = unused.get(hash);
    if (same === undefined) unused.set(hash, [j]);
    else same.push(j);
  });
  for (const indices of unused.values()) indices.reverse();
  const sameness = { ...rules, arrayOrder: true };
  return Int32Array.from(expected, (element) => {
    const same = element === null ? undefined : unused.get(treeHash(element, rules));
    const j = same?.at(-1);
    if (same === undefined || j === undefined) return -1;
    if (!exactMatch(element, predicted[j]!, sameness)) return -1;
    same.pop();
    return j;
  });
}

/**
 * The indices on either side that an alignment leaves unpaired.
 * @example unpaired(Int32Array.of(1, -1), 2) // { rows: [1], columns: [0] }
 */
export function unpaired(
  predictedOf: Int32Array,
  columns: number,
): { rows: Int32Array; columns: Int32Array } {
  const used = new Uint8Array(columns);
  for (const j of predictedOf) if (j >= 0) used[j] = 1;
  return {
    rows: predictedOf.map((_, i) => i).filter((i) => predictedOf[i]! < 0),
    columns: new Int32Array(columns).map((_, j) => j).filter((j) => used[j] === 0),
  };
}

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
 * Whether two leaves have identical values, so that they can share one field.
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
 * Whether `tree` is `[]` and `other` a filled array of objects, or `tree` is `{}` and `other` a filled object: then
 * `tree` is not a field itself.
 * Source: docs/spec/extraction.md, section 2.2.
 * @example isEmptyOf(fieldTree([]), fieldTree([{ a: 1 }])) // true
 */
export function isEmptyOf(tree: FieldTree, other: FieldTree): boolean {
  if (tree.kind !== "field") return false;
  if (other.kind === "object") return tree.type === "object";
  return other.kind === "list" && tree.type === "array" && (tree.value as Json[]).length === 0;
}
