import type { Comparison } from "./category.ts";
import type { DiagnosedField, PredictedType } from "./diagnosed-field.ts";
import { depthOf, elementPlace, type FieldPlace, propertyPlace } from "./field-place.ts";
import type { FieldNode, FieldTree, ListNode, ObjectNode } from "./field-tree.ts";

// All fields have the same properties in the same order, including undefined ones, because code that reads objects of
// one shape is several times faster. JSON omits undefined properties.

/**
 * The field of a leaf that both sides have; diagnosis adds its pattern.
 * @example pairedField(expected, predicted, compareFields(expected, predicted, rules), 0)
 */
export function pairedField(
  e: ExpectedField,
  p: FieldNode,
  { category, composite, identical, similarity }: Comparison,
  surplusElements: number,
): DiagnosedField {
  const { place } = e;
  return {
    path: place.path,
    expected: e.value,
    predicted: p.value,
    category,
    composite,
    identical,
    typeCorrect: place.schema?.accepts(p.value) ?? e.type === p.type,
    excess: undefined,
    namePath: place.namePath,
    openAt: place.openAt ?? undefined,
    depth: depthOf(place),
    expectedType: e.type,
    predictedType: p.type,
    required: place.required,
    similarity,
    hallucination: surplusElements > 0 ? "surplus" : null,
    surplusElements,
    pattern: null,
  };
}

/**
 * The field of a missing expected leaf; `predictedType` is the output in its place.
 * @example missedField(expected, "absent").category // "missed"
 */
export function missedField(
  { type, value, place }: ExpectedField,
  predictedType: PredictedType,
): DiagnosedField {
  return {
    path: place.path,
    expected: value,
    predicted: undefined,
    category: "missed",
    composite: null,
    identical: false,
    typeCorrect: null,
    excess: undefined,
    namePath: place.namePath,
    openAt: place.openAt ?? undefined,
    depth: depthOf(place),
    expectedType: type,
    predictedType,
    required: place.required,
    similarity: null,
    hallucination: null,
    surplusElements: 0,
    pattern: null,
  };
}

/**
 * The field of a predicted leaf that was not expected; `excess` in an element beyond the expected ones.
 * @example spuriousField(predicted, place, false).category // "spurious"
 */
export function spuriousField(p: FieldNode, place: FieldPlace, excess: boolean): DiagnosedField {
  return {
    path: place.path,
    expected: undefined,
    predicted: p.value,
    category: "spurious",
    composite: null,
    identical: false,
    typeCorrect: place.schema?.accepts(p.value) ?? false,
    excess: excess || undefined,
    namePath: place.namePath,
    openAt: place.openAt ?? undefined,
    depth: depthOf(place),
    expectedType: null,
    predictedType: p.type,
    required: null,
    similarity: null,
    hallucination: null,
    surplusElements: 0,
    pattern: null,
  };
}

/** A part of the expected output with its path and schema. */
export type Expectation = ExpectedField | ExpectedObject | ExpectedList;

/** An expected leaf. */
export interface ExpectedField extends FieldNode {
  place: FieldPlace;
}

/** An expected object that is not empty. */
export interface ExpectedObject extends ObjectNode {
  place: FieldPlace;
  children: Map<string, Expectation>;
}

/** An expected array of objects or arrays. */
export interface ExpectedList extends ListNode {
  place: FieldPlace;
  elements: (Expectation | null)[];
}

/**
 * The expected fields of `tree` from `place` on: the same tree, with places filled in. Paths and types of expected
 * fields do not depend on the answer, because a pair has the index of the expected element. Linear; recursive.
 * Source: docs/spec/extraction.md, sections 2 and 7.
 * @example expectation(fieldTree({ a: 1 }), rootPlace(prepareSchema(schema, false).place))
 */
export function expectation(tree: FieldTree, place: FieldPlace): Expectation {
  tree.place = place;
  if (tree.kind === "object") {
    for (const [name, child] of tree.children) expectation(child, propertyPlace(place, name));
  } else if (tree.kind === "list") {
    tree.elements.forEach((element, i) => {
      if (element !== null) expectation(element, elementPlace(place, i));
    });
  }
  return tree as Expectation;
}
