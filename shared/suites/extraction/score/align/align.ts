import { sparseAssignment } from "../../../../measures/matching/sparse-assignment.ts";
import { compositeBound, type MatchRules } from "../composite.ts";
import { compareFields, ruleOf } from "../fields/compare-fields.ts";
import type { FieldNode, FieldTree, ListNode, ObjectNode } from "../fields/field-tree.ts";
import {
  bestPairs,
  charactersOf,
  comparisonsOf,
  indices,
  inPlace,
  isAffordable,
  isBestInPlace,
  maxCharacterPairs,
  maxComparisons,
  maxElementPairs,
  type PairValues,
} from "./alignment-cost.ts";
import { alikeElements } from "./alike-elements.ts";
import { comparable, type Elements, pairSame, unpaired } from "./tree-hash.ts";

/** Maximum pairs of inner elements whose similarity is bounded while one answer is aligned: well under a second. */
const maxInnerPairs = 1e6;

/**
 * Minimum pairs of fields of two arrays whose alignment is cached. There may be hundreds of thousands of smaller ones;
 * aligning these again is faster than a lookup.
 */
const worthRemembering = 64;

/** Maximum levels of nested arrays that are aligned approximately; deeper arrays are paired by position. */
const maxApproximateLevels = 16;

/** How two arrays were aligned. */
export interface Alignment {
  /** For each expected element the index of its predicted one, or −1. */
  predictedOf: Int32Array;
  /** Sum of the composites of the fields that aligned elements share, computed on first use. */
  composite: number | null;
  /** How arrays within aligned elements are aligned. */
  within: AlignScope;
}

/** Cost limits of the arrays at one place. */
interface AlignScope {
  /** Maximum comparisons per field of two arrays for exact alignment. */
  comparisonsPerField: number;
  /** Number of enclosing arrays that were aligned approximately. */
  approximateLevels: number;
}

/** The rules of comparison, and what was already computed and spent for a pair of values. */
export type AlignMemo = ReturnType<typeof alignMemo>;

/** Aligns all arrays exactly, unless they are too long. */
const exactScope: AlignScope = {
  comparisonsPerField: Number.POSITIVE_INFINITY,
  approximateLevels: 0,
};

/**
 * Initial state for aligning the arrays within one pair of values. If aligning all of them takes more than six
 * million comparisons, these are divided among the pairs of arrays in proportion to their fields, so the total
 * never exceeds the limit. Linear.
 * @example align(expected, predicted, alignMemo(rules, expected, predicted))
 */
export function alignMemo(
  rules: MatchRules,
  expected: FieldTree | null,
  predicted: FieldTree | null,
) {
  const nothing = expected === null || predicted === null || expected === predicted;
  const scope =
    nothing || isAffordable(expected, predicted)
      ? exactScope
      : {
          comparisonsPerField: maxComparisons / (expected.fields + predicted.fields),
          approximateLevels: 0,
        };
  return {
    rules,
    /** Applies to the arrays that are aligned next. */
    scope,
    /** Whether any alignment may have missed the largest total similarity. */
    isApproximate: false,
    known: new Map<ListNode, Map<ListNode, Alignment>>(),
    characterPairs: 0,
    /** Pairs of elements of inner arrays that were bounded. */
    innerPairs: 0,
  };
}

/**
 * Aligns two arrays of objects or arrays: min(n, m) pairs with the largest total of similarity + 1e-6·nearness +
 * 1e-9·order, where similarity is the sum of the composites of the shared fields over the larger field count.
 * O(min²·max) after n·m upper bounds of similarities; few similarities have to be computed. After 5·10⁹ compared pairs
 * of characters, bounds replace the remaining similarities.
 *
 * Arrays of more than 400 × 400 elements, and those that take more comparisons than their share of six million, are
 * aligned approximately (unless pairing by position is provably best): equal elements are paired first, then those with
 * similar features (words, numbers, all properties but one). The rest is aligned exactly if it is small enough, else by
 * position. This is O(fields·log fields), and inner arrays are aligned only for elements that are paired.
 * Source: docs/spec/extraction.md, section 2.4.
 * @example align(list([{ a: 1 }, { a: 2 }]), list([{ a: 2 }]), memo).predictedOf // [-1, 0]
 */
export function align(expected: ListNode, predicted: ListNode, memo: AlignMemo): Alignment {
  const { scope } = memo;
  if (expected.elements.length === 1 && predicted.elements.length === 1) {
    return { predictedOf: Int32Array.of(0), composite: null, within: scope };
  }
  if (isWithin(scope, expected, predicted)) return alignExactly(expected, predicted, memo);
  memo.isApproximate = true;
  const within = { ...scope, approximateLevels: scope.approximateLevels + 1 };
  const predictedOf =
    scope.approximateLevels < maxApproximateLevels
      ? approximatePairs(expected, predicted, memo)
      : inPlace(expected.elements.length, predicted.elements.length);
  return { predictedOf, composite: null, within };
}

function isWithin(
  { comparisonsPerField, approximateLevels }: AlignScope,
  expected: ListNode,
  predicted: ListNode,
): boolean {
  if (comparisonsPerField === Number.POSITIVE_INFINITY) return true;
  if (approximateLevels >= maxApproximateLevels) return false;
  const most = comparisonsPerField * (expected.fields + predicted.fields);
  return comparisonsOf(expected, predicted) <= most;
}

/** Aligns two arrays if all comparisons are affordable. */
function alignExactly(expected: ListNode, predicted: ListNode, memo: AlignMemo): Alignment {
  const known = memo.known.get(expected);
  const before = known?.get(predicted);
  if (before !== undefined) return before;
  const predictedOf = pairElements(expected, predicted, memo);
  const alignment: Alignment = { predictedOf, composite: null, within: exactScope };
  if (expected.fields * predicted.fields < worthRemembering) return alignment;
  if (known === undefined) memo.known.set(expected, new Map([[predicted, alignment]]));
  else known.set(predicted, alignment);
  return alignment;
}

function pairElements(expected: ListNode, predicted: ListNode, memo: AlignMemo): Int32Array {
  const [n, m] = [expected.elements.length, predicted.elements.length];
  if (n === 1 && m === 1) return Int32Array.of(0);
  const values = new Similarities(expected.elements, predicted.elements, memo);
  if (isBestInPlace(values)) return indices(n);
  if (n * m <= maxElementPairs) return bestPairs(values, indices(n), indices(m));
  memo.isApproximate = true;
  return approximatePairs(expected, predicted, memo);
}

/** The pairs of an approximate alignment: identical elements first, then similar ones, then by position. */
function approximatePairs(expected: ListNode, predicted: ListNode, memo: AlignMemo): Int32Array {
  const [es, ps] = [expected.elements, predicted.elements];
  const predictedOf = pairSame(es, ps, memo.rules);
  pairAlike(es, ps, predictedOf, memo.rules);
  pairRest(expected, predicted, predictedOf, memo);
  return predictedOf;
}

/** Pairs elements of `rows` and `columns` with similar features. */
function pairAlike(
  expected: Elements,
  predicted: Elements,
  predictedOf: Int32Array,
  rules: MatchRules,
): void {
  const rest = unpaired(predictedOf, predicted.length);
  const rows = rest.rows.filter((i) => expected[i] !== null);
  const columns = rest.columns.filter((j) => predicted[j] !== null);
  if (rows.length === 0 || columns.length === 0) return;
  const alike = alikeElements(
    Array.from(rows, (i) => expected[i]!),
    Array.from(columns, (j) => predicted[j]!),
    rules,
  );
  join(predictedOf, sparseAssignment(alike, rows.length, columns.length), { rows, columns });
}

/** Pairs the remaining elements: optimally if they are few enough, else by position. */
function pairRest(
  expected: ListNode,
  predicted: ListNode,
  predictedOf: Int32Array,
  memo: AlignMemo,
): void {
  const rest = unpaired(predictedOf, predicted.elements.length);
  const { rows, columns } = rest;
  if (rows.length === 0 || columns.length === 0) return;
  const [e, p] = [part(expected, rows), part(predicted, columns)];
  const isFew = rows.length * columns.length <= maxElementPairs && isWithin(memo.scope, e, p);
  const values = new Similarities(expected.elements, predicted.elements, memo);
  const pairs = isFew ? bestPairs(values, rows, columns) : inPlace(rows.length, columns.length);
  join(predictedOf, pairs, rest);
}

function part({ elements, place }: ListNode, at: Int32Array): ListNode {
  const own = Array.from(at, (k) => elements[k]!);
  const fields = own.reduce((sum, element) => sum + (element?.fields ?? 0), 0);
  return { kind: "list", elements: own, fields, place };
}

/** Adds pairs of positions in `rows` and `columns` to an alignment. */
function join(
  predictedOf: Int32Array,
  pairs: Int32Array,
  { rows, columns }: { rows: Int32Array; columns: Int32Array },
): void {
  pairs.forEach((at, row) => {
    if (at >= 0) predictedOf[rows[row]!] = columns[at]!;
  });
}

/** The similarities of the elements of two arrays. */
class Similarities implements PairValues {
  readonly n: number;
  readonly m: number;
  readonly #expected: Elements;
  readonly #predicted: Elements;
  readonly #memo: AlignMemo;
  /** Computed once: in nested arrays, computing it twice on each level would be exponential. */
  readonly #known = new Map<number, number>();

  constructor(expected: Elements, predicted: Elements, memo: AlignMemo) {
    [this.n, this.m] = [expected.length, predicted.length];
    [this.#expected, this.#predicted, this.#memo] = [expected, predicted, memo];
  }

  exact(i: number, j: number): number {
    const [e, p] = [this.#expected[i]!, this.#predicted[j]!];
    if (e === p) return e === null ? 0 : 1;
    const before = this.#known.get(i * this.m + j);
    if (before !== undefined) return before;
    const exact = similarity(e, p, this.#memo, fieldComposite);
    this.#known.set(i * this.m + j, exact);
    return exact;
  }

  bound(i: number, j: number): number {
    return similarity(this.#expected[i]!, this.#predicted[j]!, this.#memo, fieldBound);
  }

  /** Whether bounds must replace the remaining comparisons. */
  isSpent(): boolean {
    if (this.#memo.characterPairs < maxCharacterPairs) return false;
    this.#memo.isApproximate = true;
    return true;
  }

  spend(i: number, j: number): void {
    spend(this.#expected[i]!, this.#predicted[j]!, this.#memo);
  }
}

function spend(e: FieldTree | null, p: FieldTree | null, memo: AlignMemo): void {
  const fields = Math.max(1, e?.fields ?? 0, p?.fields ?? 0);
  memo.characterPairs += (charactersOf(e) * charactersOf(p)) / fields;
}

/** The contribution of two leaves at the same place to the similarity, or an upper bound of it. */
type FieldValue = (expected: FieldNode, predicted: FieldNode, rules: MatchRules) => number;

function fieldComposite(e: FieldNode, p: FieldNode, rules: MatchRules): number {
  return comparable(e, p) ? compareFields(e, p, rules).composite : 0;
}

function fieldBound(e: FieldNode, p: FieldNode, rules: MatchRules): number {
  const isBounded = e.type === p.type && ruleOf(e, rules) === undefined;
  return isBounded ? compositeBound(e, p, rules) : fieldComposite(e, p, rules);
}

/** The sum of shared composites over the larger field count, 0–1; 0 if an element is null. */
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
  if (e === p) return e.fields;
  if (e.kind === "field") return p.kind === "field" ? field(e, p, memo.rules) : 0;
  if (e.kind === "object") return p.kind === "object" ? sharedByName(e, p, memo, field) : 0;
  if (p.kind !== "list") return 0;
  return field === fieldBound ? alignedBound(e, p, memo) : alignedComposite(e, p, memo);
}

/** An upper bound of `alignedComposite`: as if each expected element could have its best match. */
function alignedBound(expected: ListNode, predicted: ListNode, memo: AlignMemo): number {
  const most = Math.min(expected.fields, predicted.fields);
  memo.innerPairs += expected.elements.length * predicted.elements.length;
  if (memo.innerPairs > maxInnerPairs) return most;
  let sum = 0;
  for (const e of expected.elements) {
    let best = 0;
    for (const p of predicted.elements) {
      if (e !== null && p !== null) best = Math.max(best, shared(e, p, memo, fieldBound));
    }
    sum += best;
  }
  return Math.min(most, sum);
}

function sharedByName(e: ObjectNode, p: ObjectNode, memo: AlignMemo, field: FieldValue): number {
  let sum = 0;
  for (const [name, child] of e.children) {
    const other = p.children.get(name);
    if (other !== undefined) sum += shared(child, other, memo, field);
  }
  return sum;
}

/** Sum of the composites of the fields that aligned elements of two arrays share. */
function alignedComposite(expected: ListNode, predicted: ListNode, memo: AlignMemo): number {
  const alignment = alignExactly(expected, predicted, memo);
  if (alignment.composite !== null) return alignment.composite;
  let sum = 0;
  expected.elements.forEach((element, i) => {
    const other = predicted.elements[alignment.predictedOf[i]!] ?? null;
    if (element !== null && other !== null) sum += shared(element, other, memo, fieldComposite);
  });
  alignment.composite = sum;
  return sum;
}
