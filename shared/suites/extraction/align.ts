import { maxAssignment } from "../../measures/assignment.ts";
import { compareFields } from "./category.ts";
import { composite, type MatchRules } from "./composite.ts";
import type { FieldNode, FieldTree, ListNode, ObjectNode } from "./flatten.ts";
import { pairSame } from "./pair-same.ts";

/** Weight of staying near one's index, and of keeping the order: they only decide between equals. */
const nearWeight = 1e-6;
const orderWeight = 1e-9;

/**
 * Pairs of elements times fields up to which every element is compared with every other: a few
 * seconds of the slowest strings. Above it, elements that are the same are paired before.
 */
const maxComparisons = 1e7;

/** How two arrays were aligned. */
export interface Alignment {
  /** For each expected element the index of its predicted one, or −1. */
  predictedOf: Int32Array;
  /** Sum of the composites of the fields that aligned elements share. */
  composite: number;
}

/** The rules of comparison, and the alignments already worked out for a pair of arrays. */
export interface AlignMemo {
  rules: MatchRules;
  known: Map<ListNode, Map<ListNode, Alignment>>;
}

/**
 * Aligns two arrays of objects or arrays: min(n, m) pairs with the largest total of
 * similarity + 1e-6·nearness + 1e-9·order, where similarity is the sum of the composites of the
 * shared fields over the larger field count. O(min²·max) after n·m similarities. Beyond 10⁷ field
 * comparisons, elements that are the same are paired first in linear time, and what is left is
 * aligned as above where that is few enough, else by position.
 * Source: specification of the extraction suite, section 2.4.
 * @example align(list([{ a: 1 }, { a: 2 }]), list([{ a: 2 }]), memo).predictedOf // [-1, 0]
 */
export function align(expected: ListNode, predicted: ListNode, memo: AlignMemo): Alignment {
  const known = memo.known.get(expected);
  const before = known?.get(predicted);
  if (before !== undefined) return before;
  const predictedOf = pairElements(expected, predicted, memo);
  const alignment = { predictedOf, composite: total(expected, predicted, predictedOf, memo) };
  if (known === undefined) memo.known.set(expected, new Map([[predicted, alignment]]));
  else known.set(predicted, alignment);
  return alignment;
}

function pairElements(expected: ListNode, predicted: ListNode, memo: AlignMemo): Int32Array {
  const [n, m] = [expected.elements.length, predicted.elements.length];
  if (n === m && expected.elements.every((e, i) => alike(e, predicted.elements[i]!, memo))) {
    return indices(n);
  }
  const perPair = Math.min(expected.fields / n, predicted.fields / m);
  if (n * m * perPair <= maxComparisons) {
    return bestPairs(expected, predicted, indices(n), indices(m), memo);
  }
  const { predictedOf, rows, columns } = pairSame(expected.elements, predicted.elements);
  const few = rows.length * columns.length * perPair <= maxComparisons;
  const rest = few
    ? bestPairs(expected, predicted, rows, columns, memo)
    : indices(rows.length).map((at) => (at < columns.length ? at : -1));
  rest.forEach((at, row) => {
    if (at >= 0) predictedOf[rows[row]!] = columns[at]!;
  });
  return predictedOf;
}

/** As similar as can be: where all elements are so in place, no other alignment comes out higher. */
function alike(e: FieldTree | null, p: FieldTree | null, memo: AlignMemo): boolean {
  return e === null && p === null ? true : similarity(e, p, memo) === 1;
}

function indices(count: number): Int32Array {
  return new Int32Array(count).map((_, i) => i);
}

/** For each of `rows` (expected) the place in `columns` (predicted) it is paired with, or −1. */
function bestPairs(
  expected: ListNode,
  predicted: ListNode,
  rows: Int32Array,
  columns: Int32Array,
  memo: AlignMemo,
): Int32Array {
  if (rows.length === 1 && columns.length === 1) return Int32Array.of(0);
  const [n, m] = [expected.elements.length, predicted.elements.length];
  const values = new Float64Array(rows.length * columns.length);
  let at = 0;
  for (const i of rows) {
    for (const j of columns) {
      const nearness = nearWeight * (1 - Math.abs(i - j) / Math.max(n, m));
      const order = (orderWeight * ((i + 1) * (j + 1))) / (n * m);
      values[at++] =
        similarity(expected.elements[i]!, predicted.elements[j]!, memo) + nearness + order;
    }
  }
  return maxAssignment(values, rows.length, columns.length);
}

/** The sum of shared composites over the larger field count, 0–1; 0 when an element is null. */
function similarity(e: FieldTree | null, p: FieldTree | null, memo: AlignMemo): number {
  return e === null || p === null ? 0 : shared(e, p, memo) / Math.max(e.fields, p.fields);
}

/** Sum of the composites of the fields that two values share. */
function shared(expected: FieldTree, predicted: FieldTree, memo: AlignMemo): number {
  if (expected.kind !== predicted.kind) return 0;
  if (expected.kind === "list") return align(expected, predicted as ListNode, memo).composite;
  if (expected.kind === "object") return sharedByName(expected, predicted as ObjectNode, memo);
  return sharedField(expected, predicted as FieldNode, memo.rules);
}

function sharedField(expected: FieldNode, predicted: FieldNode, rules: MatchRules): number {
  if (expected.type === predicted.type) return composite(expected, predicted, rules);
  return comparable(expected, predicted) ? compareFields(expected, predicted, rules).composite : 0;
}

function sharedByName(expected: ObjectNode, predicted: ObjectNode, memo: AlignMemo): number {
  let sum = 0;
  for (const [name, child] of expected.children) {
    const other = predicted.children.get(name);
    if (other !== undefined) sum += shared(child, other, memo);
  }
  return sum;
}

function total(
  expected: ListNode,
  predicted: ListNode,
  predictedOf: Int32Array,
  memo: AlignMemo,
): number {
  let sum = 0;
  expected.elements.forEach((element, i) => {
    const other = predicted.elements[predictedOf[i]!] ?? null;
    if (element !== null && other !== null) sum += shared(element, other, memo);
  });
  return sum;
}

/**
 * Whether two leaves are compared at all: an array only with an array, `{}` only with `{}`, scalars
 * with any scalar.
 * Source: specification of the extraction suite, section 4.
 * @example comparable(field([]), field("a")) // false
 */
export function comparable(expected: FieldNode, predicted: FieldNode): boolean {
  if (expected.type === predicted.type) return true;
  return isScalar(expected) && isScalar(predicted);
}

function isScalar(field: FieldNode): boolean {
  return field.type !== "array" && field.type !== "object";
}
