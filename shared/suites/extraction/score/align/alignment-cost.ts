import { maxAssignment } from "../../../../measures/matching/assignment.ts";
import type { FieldTree, ListNode, ObjectNode } from "../fields/field-tree.ts";

/**
 * Maximum comparisons for exact alignment of one answer: up to a few seconds if nothing is similar and everything
 * must be compared, and far more than extracted data needs.
 */
export const maxComparisons = 6e6;

/** Pairs of elements of two arrays that are aligned exactly, 400 × 400: the assignment is cubic. */
export const maxElementPairs = 160_000;

/**
 * Maximum pairs of characters compared while one answer is aligned: about four seconds, the time for 400 unrelated
 * elements of five sentences.
 */
export const maxCharacterPairs = 5e9;

/** Cost of aligning a pair of inner arrays in addition to its elements, in comparisons of leaves. */
const listPairCost = 24;

/**
 * Whether exact alignment of two values is within the limits. Usually the number of fields and levels decides: no
 * level has more arrays or elements than fields, and without arrays each field is compared with one other.
 * @example isAffordable(fieldTree([{ a: 1 }]), fieldTree([{ a: 2 }])) // true
 */
export function isAffordable(expected: FieldTree, predicted: FieldTree): boolean {
  const levels = levelsOf(expected);
  const met = levels === 0 ? 1 : predicted.fields;
  const most = expected.fields * met * (1 + (listPairCost + 1) * levels);
  return most <= maxComparisons || comparisonsOf(expected, predicted) <= maxComparisons;
}

/** Levels of nested arrays of objects or arrays. */
function levelsOf(tree: FieldTree): number {
  if (tree.kind === "field") return 0;
  let most = 0;
  const parts = tree.kind === "list" ? tree.elements : tree.children.values();
  for (const part of parts) if (part !== null) most = Math.max(most, levelsOf(part));
  return tree.kind === "list" ? most + 1 : most;
}

/**
 * Maximum comparisons of leaves, elements and arrays for the exact alignment of two values: everything at a name path
 * on one side is compared with everything at that path on the other side. Linear; recursive.
 * @example comparisonsOf(fieldTree([{ a: 1 }, { a: 2 }]), fieldTree([{ a: 1 }])) // 2 leaves + 2 + 24
 */
export function comparisonsOf(expected: FieldTree, predicted: FieldTree): number {
  return comparisons([expected], [predicted]);
}

function comparisons(expected: readonly FieldTree[], predicted: readonly FieldTree[]): number {
  const [e, p] = [byKind(expected), byKind(predicted)];
  let sum = e.leaves * p.leaves;
  if (e.objects.length > 0 && p.objects.length > 0) sum += ofObjects(e.objects, p.objects);
  if (e.lists.length > 0 && p.lists.length > 0) sum += ofLists(e.lists, p.lists);
  return sum;
}

function byKind(trees: readonly FieldTree[]) {
  const [objects, lists]: [ObjectNode[], ListNode[]] = [[], []];
  for (const tree of trees) {
    if (tree.kind === "object") objects.push(tree);
    else if (tree.kind === "list") lists.push(tree);
  }
  return { objects, lists, leaves: trees.length - objects.length - lists.length };
}

function ofObjects(expected: readonly ObjectNode[], predicted: readonly ObjectNode[]): number {
  const others = byName(predicted);
  let sum = 0;
  for (const [name, trees] of byName(expected)) {
    const other = others.get(name);
    if (other !== undefined) sum += comparisons(trees, other);
  }
  return sum;
}

function byName(objects: readonly ObjectNode[]): Map<string, FieldTree[]> {
  const named = new Map<string, FieldTree[]>();
  for (const { children } of objects) {
    for (const [name, child] of children) {
      const same = named.get(name);
      if (same === undefined) named.set(name, [child]);
      else same.push(child);
    }
  }
  return named;
}

function ofLists(expected: readonly ListNode[], predicted: readonly ListNode[]): number {
  const [e, p] = [elementsOf(expected), elementsOf(predicted)];
  return (
    listPairCost * expected.length * predicted.length + e.length * p.length + comparisons(e, p)
  );
}

function elementsOf(lists: readonly ListNode[]): FieldTree[] {
  const all: FieldTree[] = [];
  for (const { elements } of lists) {
    for (const element of elements) if (element !== null) all.push(element);
  }
  return all;
}

/**
 * UTF-16 units of the strings in a tree. Linear.
 * @example charactersOf(fieldTree({ a: "abc", b: 5 })) // 3
 */
export function charactersOf(tree: FieldTree | null): number {
  if (tree === null) return 0;
  if (tree.kind === "field") return tree.type === "string" ? (tree.value as string).length : 0;
  let characters = 0;
  const parts = tree.kind === "list" ? tree.elements : tree.children.values();
  for (const part of parts) characters += charactersOf(part);
  return characters;
}

/** The similarities of the elements of two arrays, 0–1, computed on demand. */
export interface PairValues {
  n: number;
  m: number;
  exact(i: number, j: number): number;
  /** An upper bound of a similarity, many times faster. */
  bound(i: number, j: number): number;
  /** Whether bounds must replace the remaining comparisons. */
  isSpent(): boolean;
  /** Counts the cost of comparing a pair. */
  spend(i: number, j: number): void;
}

/** Weights of nearness and order of indices: they only break ties. */
const nearWeight = 1e-6;
const orderWeight = 1e-9;

/** Maximum similarities with other positions per element, on average, that the proof below may compute. */
const maxCrossed = 2;

/**
 * Whether pairing by position is provably optimal: no two elements are more similar than the mean of their two
 * similarities by position. Then no other alignment has a larger sum, and nearness decides. False if the proof
 * takes too many similarities. O(n²) bounds.
 * @example isBestInPlace(values) // true if each element is most similar to the one at its position
 */
export function isBestInPlace(values: PairValues): boolean {
  const { n, m } = values;
  if (n !== m) return false;
  const inPlace = Array.from({ length: n }, (_, i) => values.exact(i, i));
  let left = maxCrossed * n;
  const isCloser = (i: number, j: number, limit: number) => {
    if (values.bound(i, j) <= limit) return false;
    return left-- <= 0 || values.exact(i, j) > limit;
  };
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const limit = (inPlace[i]! + inPlace[j]!) / 2;
      if (limit < 1 && (isCloser(i, j, limit) || isCloser(j, i, limit))) return false;
    }
  }
  return true;
}

/**
 * 0, 1, … `count` − 1.
 * @example indices(2) // [0, 1]
 */
export function indices(count: number): Int32Array {
  return new Int32Array(count).map((_, i) => i);
}

/**
 * For each of `n` rows the column at the same position of `m`, or −1.
 * @example inPlace(3, 2) // [0, 1, -1]
 */
export function inPlace(n: number, m: number): Int32Array {
  return indices(n).map((i) => (i < m ? i : -1));
}

/**
 * For each of `rows` (expected) the position in `columns` (predicted) of its partner, or −1: the pairs with
 * the largest total of similarity + 1e-6·nearness + 1e-9·order.
 * Source: docs/spec/extraction.md, section 2.4.
 * @example bestPairs(values, indices(2), indices(2)) // [1, 0]
 */
export function bestPairs(values: PairValues, rows: Int32Array, columns: Int32Array): Int32Array {
  if (rows.length === 1 && columns.length === 1) return Int32Array.of(0);
  const { n, m } = values;
  const preference = (i: number, j: number) =>
    nearWeight * (1 - Math.abs(i - j) / Math.max(n, m)) +
    (orderWeight * ((i + 1) * (j + 1))) / (n * m);
  const bounds = new Float64Array(rows.length * columns.length);
  let at = 0;
  for (const i of rows) {
    for (const j of columns) bounds[at++] = values.bound(i, j) + preference(i, j);
  }
  return maxAssignment(bounds, rows.length, columns.length, (at) => {
    if (values.isSpent()) return bounds[at]!;
    const [i, j] = [rows[Math.floor(at / columns.length)]!, columns[at % columns.length]!];
    values.spend(i, j);
    return values.exact(i, j) + preference(i, j);
  });
}
