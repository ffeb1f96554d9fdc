import { type AlignMemo, align, alignMemo } from "../align/align.ts";
import { comparable, isEmptyOf, isSame, typeOf } from "../align/tree-hash.ts";
import { elementsOf, type MatchRules } from "../composite.ts";
import { type Clash, clashOf, type FieldError } from "../errors/diagnose.ts";
import { emptyTally, type Tally, type WeightedTally } from "../tally.ts";
import { categoryCredit, lenientCut } from "./category.ts";
import { compareFields } from "./compare-fields.ts";
import type { DiagnosedField, PredictedType } from "./diagnosed-field.ts";
import { elementPlace, type FieldPlace, propertyPlace } from "./field-place.ts";
import type { FieldNode, FieldTree, ListNode, ObjectNode } from "./field-tree.ts";
import {
  type Expectation,
  type ExpectedField,
  type ExpectedList,
  type ExpectedObject,
  missedField,
  pairedField,
  spuriousField,
} from "./make-field.ts";

/** Whether all arrays of objects were aligned optimally, or some were too long. */
export type AlignmentKind = "exact" | "approximate";

/** The fields of a sample: counts and list. */
export interface FieldMatches {
  tally: Tally;
  fields: DiagnosedField[];
  /** Those of `fields` that are not exact; `diagnose` fills in their hallucination and pattern. */
  errors: FieldError[];
  alignment: AlignmentKind;
  /** Null if all fields have the same weight. */
  weighted: WeightedTally | null;
}

/**
 * Maximum listed fields of a sample: more than any real sample has, so that breakdowns are exact, and few enough to
 * limit the memory for an answer of several megabytes. Further fields are counted but not listed.
 */
export const maxListedFields = 50_000;

/**
 * Matches the expected output with a predicted value: by name in objects, by best alignment in arrays of objects. `[]`
 * against such an array and `{}` against a filled object are not fields themselves. If shapes can't be compared, the
 * expected fields are missed and the predicted ones spurious. `predicted` is null for a value without fields, undefined
 * if there is no value. Linear except for `align`.
 * Source: docs/spec/extraction.md, sections 2 to 5.
 * @example matchFields(expectation(fieldTree({ a: 1 }), root), undefined, root, rules).tally.missed // 1
 */
export function matchFields(
  expected: Expectation | null,
  predicted: FieldTree | null | undefined,
  root: FieldPlace,
  rules: MatchRules,
): FieldMatches {
  const matcher = new FieldMatcher(alignMemo(rules, expected, predicted ?? null));
  if (expected !== null) matcher.expect(expected, predicted);
  else if (predicted) matcher.spurious(predicted, root, false, null);
  const { tally, fields, errors, alignment, weighted } = matcher;
  return { tally, fields, errors, alignment, weighted };
}

class FieldMatcher {
  readonly tally = emptyTally();
  readonly fields: DiagnosedField[] = [];
  readonly errors: FieldError[] = [];
  readonly weighted: WeightedTally | null;
  readonly #memo: AlignMemo;

  constructor(memo: AlignMemo) {
    this.#memo = memo;
    this.weighted = memo.rules.fields?.isWeighted
      ? { correct: 0, expected: 0, predicted: 0 }
      : null;
  }

  /** Adds a field to the weighted counts, if there are any: its credit, and the sides that have it. */
  #weigh(
    { namePath }: FieldPlace,
    worth: number,
    onSides: "both" | "expected" | "predicted",
  ): void {
    if (this.weighted === null) return;
    const { weight = 1 } = this.#memo.rules.fields?.of(namePath) ?? {};
    this.weighted.correct += weight * worth;
    if (onSides !== "predicted") this.weighted.expected += weight;
    if (onSides !== "expected") this.weighted.predicted += weight;
  }

  get alignment(): AlignmentKind {
    return this.#memo.isApproximate ? "approximate" : "exact";
  }

  expect(e: Expectation, p: FieldTree | null | undefined): void {
    if (p === e) this.#met(e);
    else if (!p) this.#missed(e, p === null ? "null" : "absent", null);
    else if (e.kind === "object" && p.kind === "object") this.#objects(e, p);
    else if (e.kind === "list" && p.kind === "list") this.#lists(e, p);
    else if (e.kind === "field" && p.kind === "field" && comparable(e, p)) this.#paired(e, p);
    else if (isEmptyOf(e, p)) this.spurious(p, e.place, p.kind === "list", null);
    else if (isEmptyOf(p, e)) this.#missed(e, "absent", null, p);
    else this.#clash(e, p);
  }

  /** The predicted value equals the expected one in all its parts. */
  #met(e: Expectation): void {
    if (e.kind === "field") this.#same(e, e);
    else if (e.kind === "object") for (const child of e.children.values()) this.#met(child);
    else for (const element of e.elements) if (element !== null) this.#met(element);
  }

  #objects(e: ExpectedObject, p: ObjectNode): void {
    let met = 0;
    for (const [name, child] of e.children) {
      const other = p.children.get(name);
      if (other !== undefined) met++;
      this.expect(child, other ?? (p.nulls?.has(name) ? null : undefined));
    }
    if (met === p.children.size) return;
    for (const [name, child] of p.children) {
      if (!e.children.has(name)) this.spurious(child, propertyPlace(e.place, name), false, null);
    }
  }

  #lists(e: ExpectedList, p: ListNode): void {
    const { scope } = this.#memo;
    const { predictedOf, within } = align(e, p, this.#memo);
    this.#memo.scope = within;
    const aligned = new Uint8Array(p.elements.length);
    e.elements.forEach((element, i) => {
      const j = predictedOf[i]!;
      const other = p.elements[j];
      if (j >= 0) aligned[j] = 1;
      if (element !== null) this.expect(element, other);
      else if (other) this.spurious(other, elementPlace(e.place, i), false, null);
    });
    this.#memo.scope = scope;
    let index = e.elements.length;
    p.elements.forEach((element, j) => {
      if (aligned[j]) return;
      const at = index++;
      if (element !== null) this.spurious(element, elementPlace(e.place, at), true, null);
    });
  }

  #clash(e: Expectation, p: FieldTree): void {
    const clash = clashOf(e, p);
    this.#missed(e, typeOf(p), clash);
    this.spurious(p, e.place, false, clash);
  }

  #same(e: ExpectedField, p: FieldNode): void {
    if (e.met === null) {
      e.met = pairedField(e, p, compareFields(e, p, this.#memo.rules), 0);
      e.metType = e.met.typeCorrect === true;
    }
    this.tally.exact++;
    this.tally.identical++;
    this.tally.lenient++;
    if (e.metType) this.tally.typeCorrect++;
    this.#weigh(e.place, 1, "both");
    this.#list(e.met);
  }

  #paired(e: ExpectedField, p: FieldNode): void {
    if (isSame(e, p)) {
      this.#same(e, p);
      return;
    }
    const { rules } = this.#memo;
    const comparison = compareFields(e, p, rules);
    const { category, identical, composite, sameType } = comparison;
    const field = pairedField(e, p, comparison, identical ? 0 : surplusOf(e, p, rules));
    this.tally[category]++;
    this.#weigh(e.place, categoryCredit[category], "both");
    if (identical) this.tally.identical++;
    if (category === "exact" || composite >= lenientCut) this.tally.lenient++;
    if (field.typeCorrect) this.tally.typeCorrect++;
    if (!this.#list(field) || category === "exact") return;
    this.errors.push({
      field,
      place: e.place,
      expected: e,
      predicted: p,
      sameType,
      clash: null,
    });
  }

  /** `emptied` is a predicted object that became `{}` when its nulls were dropped. */
  #missed(e: Expectation, found: PredictedType, clash: Clash | null, emptied?: FieldTree): void {
    if (e.kind === "field") {
      const field = missedField(e, found);
      this.tally.missed++;
      this.#weigh(e.place, 0, "expected");
      if (!this.#list(field)) return;
      const { place } = e;
      this.errors.push({ field, place, expected: e, predicted: null, sameType: true, clash });
      return;
    }
    if (e.kind === "list") {
      for (const element of e.elements) if (element) this.#missed(element, "absent", clash);
      return;
    }
    const nulls = emptied?.kind === "field" ? emptied.nulls : null;
    for (const [name, child] of e.children) {
      this.#missed(child, nulls?.has(name) ? "null" : "absent", clash);
    }
  }

  spurious(p: FieldTree, place: FieldPlace, excess: boolean, clash: Clash | null): void {
    if (p.kind === "field") {
      const field = spuriousField(p, place, excess);
      this.tally.spurious++;
      this.#weigh(place, 0, "predicted");
      if (field.typeCorrect) this.tally.typeCorrect++;
      if (!this.#list(field)) return;
      this.errors.push({ field, place, expected: null, predicted: p, sameType: true, clash });
    } else if (p.kind === "object") {
      for (const [name, child] of p.children) {
        this.spurious(child, propertyPlace(place, name), excess, clash);
      }
    } else {
      p.elements.forEach((element, i) => {
        if (element) this.spurious(element, elementPlace(place, i), excess, clash);
      });
    }
  }

  #list(field: DiagnosedField): boolean {
    if (this.fields.length >= maxListedFields) return false;
    this.fields.push(field);
    return true;
  }
}

function surplusOf(e: FieldNode, p: FieldNode, rules: MatchRules): number {
  if (e.type !== "array" || p.type !== "array") return 0;
  const expected = elementsOf(e, rules);
  let surplus = 0;
  for (const element of elementsOf(p, rules)) if (!expected.has(element)) surplus++;
  return surplus;
}
