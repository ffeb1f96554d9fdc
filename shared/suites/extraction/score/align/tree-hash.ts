import type { Json } from "../../../../contracts/json.ts";
import { normalizeText } from "../../../../measures/normalize-text.ts";
import { hash32 } from "../../../../stats/hash32.ts";
import type { MatchRules } from "../composite.ts";
import { fieldText } from "../fields/field-text.ts";
import type { FieldNode, FieldTree } from "../fields/flatten.ts";

/**
 * A 32-bit hash of the fields of a tree: equal for trees that are the same after normalisation, whatever
 * the order of properties. Linear; recursive.
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
 * What a property adds to the hash of its object: the hash is the sum of these, modulo 2³².
 * @example propertyHash("a", tree(1), rules)
 */
export function propertyHash(name: string, tree: FieldTree, rules: MatchRules): number {
  return mixed(hash32(name), treeHash(tree, rules));
}

/**
 * Two hashes as one, in their order.
 * @example mixed(1, 2) !== mixed(2, 1) // true
 */
export function mixed(a: number, b: number): number {
  let hash = Math.imul(a, 0x01000193) ^ b;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

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
