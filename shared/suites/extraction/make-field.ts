import type { Comparison } from "./category.ts";
import type { DiagnosedField, PredictedType } from "./diagnosed-field.ts";
import type { ExpectedField } from "./expectation.ts";
import { depthOf, type FieldPlace } from "./field-place.ts";
import type { FieldNode } from "./flatten.ts";

/**
 * The field of a leaf that both sides have; its pattern is left to diagnosis.
 * @example pairedField(expected, predicted, compareFields(expected.tree, predicted, rules), 0)
 */
export function pairedField(
  { tree, place }: ExpectedField,
  p: FieldNode,
  { category, composite, identical, similarity }: Comparison,
  surplusElements: number,
): DiagnosedField {
  return {
    path: place.path,
    expected: tree.value,
    predicted: p.value,
    category,
    composite,
    identical,
    typeCorrect: place.types.accepts(p.value) ?? tree.type === p.type,
    namePath: place.namePath,
    depth: depthOf(place),
    expectedType: tree.type,
    predictedType: p.type,
    required: place.required,
    similarity,
    hallucination: surplusElements > 0 ? "surplus" : null,
    surplusElements,
    pattern: null,
  };
}

/**
 * The field of an expected leaf that is not there; `predictedType` is what stands in its place.
 * @example missedField(expected, "absent").category // "missed"
 */
export function missedField(
  { tree, place }: ExpectedField,
  predictedType: PredictedType,
): DiagnosedField {
  return {
    path: place.path,
    expected: tree.value,
    category: "missed",
    composite: null,
    identical: false,
    typeCorrect: null,
    namePath: place.namePath,
    depth: depthOf(place),
    expectedType: tree.type,
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
    predicted: p.value,
    category: "spurious",
    composite: null,
    identical: false,
    typeCorrect: place.types.accepts(p.value) ?? false,
    ...(excess && { excess }),
    namePath: place.namePath,
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
