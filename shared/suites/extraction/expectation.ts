import type { DiagnosedField } from "./diagnosed-field.ts";
import { elementPlace, type FieldPlace, propertyPlace } from "./field-place.ts";
import type { FieldNode, FieldTree, ListNode, ObjectNode } from "./flatten.ts";

/** What is expected at one place: a part of the expected output with its paths and its schema. */
export type Expectation = ExpectedField | ExpectedObject | ExpectedList;

/** An expected leaf. */
export interface ExpectedField {
  kind: "field";
  tree: FieldNode;
  place: FieldPlace;
  /** The field of an answer that holds the very same value, once there was one. */
  met: DiagnosedField | null;
}

/** An expected object that is not empty. */
export interface ExpectedObject {
  kind: "object";
  tree: ObjectNode;
  place: FieldPlace;
  children: ReadonlyMap<string, Expectation>;
}

/** An expected array of objects or arrays. */
export interface ExpectedList {
  kind: "list";
  tree: ListNode;
  place: FieldPlace;
  elements: readonly (Expectation | null)[];
}

/**
 * The expected fields of `tree` from `place` on. Paths and types of expected fields are the same
 * whatever is answered, since a pair takes the index of the expected element. Linear; recursive.
 * Source: specification of the extraction suite, sections 2 and 7.
 * @example expectation(fieldTree({ a: 1 }), rootPlace(types, schema))
 */
export function expectation(tree: FieldTree | null, place: FieldPlace): Expectation | null {
  if (tree === null) return null;
  if (tree.kind === "field") return { kind: "field", tree, place, met: null };
  if (tree.kind === "list") {
    const elements = tree.elements.map((one, i) => expectation(one, elementPlace(place, i)));
    return { kind: "list", tree, place, elements };
  }
  const children = new Map<string, Expectation>();
  for (const [name, child] of tree.children) {
    const expected = expectation(child, propertyPlace(place, name));
    if (expected !== null) children.set(name, expected);
  }
  return { kind: "object", tree, place, children };
}
