import { maxAssignment } from "../../measures/assignment.ts";
import { charactersOf, isAffordable, maxCharacterPairs } from "./alignment-cost.ts";
import { compareFields } from "./category.ts";
import { composite, compositeBound, type MatchRules } from "./composite.ts";
import type { FieldNode, FieldTree, ListNode, ObjectNode } from "./flatten.ts";
import { pairSame } from "./pair-same.ts";

/** Weight of staying near one's index, and of keeping the order: they only decide between equals. */
const nearWeight = 1e-6;
const orderWeight = 1e-9;

/** How two arrays were aligned. */
export interface Alignment {
  /** For each expected element the index of its predicted one, or −1. */
  predictedOf: Int32Array;
  /** Sum of the composites of the fields that aligned elements share. */
  composite: number;
}

/** The rules of comparison, and what was already worked out and spent for a pair of values. */
export interface AlignMemo {
  rules: MatchRules;
  known: Map<ListNode, Map<ListNode, Alignment>>;
  characterPairs: number;
}

/**
 * What aligning the arrays of one pair of values starts with.
 * @example align(expected, predicted, alignMemo(rules))
 */
export function alignMemo(rules: MatchRules): AlignMemo {
  return { rules, known: new Map(), characterPairs: 0 };
}

/**
 * Aligns two arrays of objects or arrays: min(n, m) pairs with the largest total of
 * similarity + 1e-6·nearness + 1e-9·order, where similarity is the sum of the composites of the
 * shared fields over the larger field count. O(min²·max) after n·m upper bounds of similarities, few
 * of which have to be worked out; once 5·10⁹ pairs of characters were compared, bounds stand in for
 * the rest. Beyond 10⁷ field comparisons elements that are the same are paired first in linear time,
 * and what is left is aligned as above where that is few enough, else by position.
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
  if (isAffordable(expected.elements, predicted.elements)) {
    return bestPairs(expected, predicted, indices(n), indices(m), memo);
  }
  const { predictedOf, rows, columns } = pairSame(expected.elements, predicted.elements);
  const few = isAffordable(
    Array.from(rows, (i) => expected.elements[i]!),
    Array.from(columns, (j) => predicted.elements[j]!),
  );
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
  return e === null && p === null ? true : similarity(e, p, memo, fieldComposite) === 1;
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
  const worth = (i: number, j: number, field: FieldValue) =>
    similarity(expected.elements[i]!, predicted.elements[j]!, memo, field) +
    nearWeight * (1 - Math.abs(i - j) / Math.max(n, m)) +
    (orderWeight * ((i + 1) * (j + 1))) / (n * m);
  const bounds = new Float64Array(rows.length * columns.length);
  let at = 0;
  for (const i of rows) for (const j of columns) bounds[at++] = worth(i, j, fieldBound);
  return maxAssignment(bounds, rows.length, columns.length, (at) => {
    if (memo.characterPairs >= maxCharacterPairs) return bounds[at]!;
    const [i, j] = [rows[Math.floor(at / columns.length)]!, columns[at % columns.length]!];
    spend(expected.elements[i]!, predicted.elements[j]!, memo);
    return worth(i, j, fieldComposite);
  });
}

function spend(e: FieldTree | null, p: FieldTree | null, memo: AlignMemo): void {
  const fields = Math.max(1, e?.fields ?? 0, p?.fields ?? 0);
  memo.characterPairs += (charactersOf(e) * charactersOf(p)) / fields;
}

/** What two leaves that stand at the same place add to the similarity, or the most they can add. */
type FieldValue = (expected: FieldNode, predicted: FieldNode, rules: MatchRules) => number;

function fieldComposite(e: FieldNode, p: FieldNode, rules: MatchRules): number {
  if (e.type === p.type) return composite(e, p, rules);
  return comparable(e, p) ? compareFields(e, p, rules).composite : 0;
}

function fieldBound(e: FieldNode, p: FieldNode, rules: MatchRules): number {
  return e.type === p.type ? compositeBound(e, p, rules) : fieldComposite(e, p, rules);
}

/** The sum of shared composites over the larger field count, 0–1; 0 when an element is null. */
function similarity(
  e: FieldTree | null,
  p: FieldTree | null,
  memo: AlignMemo,
  field: FieldValue,
): number {
  return e === null || p === null ? 0 : shared(e, p, memo, field) / Math.max(e.fields, p.fields);
}

/** Sum of the composites of the fields that two values share. */
function shared(e: FieldTree, p: FieldTree, memo: AlignMemo, field: FieldValue): number {
  if (e.kind === "field") return p.kind === "field" ? field(e, p, memo.rules) : 0;
  if (e.kind === "object") return p.kind === "object" ? sharedByName(e, p, memo, field) : 0;
  if (p.kind !== "list") return 0;
  return field === fieldBound ? Math.min(e.fields, p.fields) : align(e, p, memo).composite;
}

function sharedByName(e: ObjectNode, p: ObjectNode, memo: AlignMemo, field: FieldValue): number {
  let sum = 0;
  for (const [name, child] of e.children) {
    const other = p.children.get(name);
    if (other !== undefined) sum += shared(child, other, memo, field);
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
    if (element !== null && other !== null) sum += shared(element, other, memo, fieldComposite);
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
