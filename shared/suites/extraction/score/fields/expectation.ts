import { elementPlace, type FieldPlace, propertyPlace } from "./field-place.ts";
import type { FieldNode, FieldTree, ListNode, ObjectNode } from "./flatten.ts";

/** What is expected at one place: a part of the expected output that knows its path and its schema. */
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
 * The expected fields of `tree` from `place` on: the tree itself, told its places. Paths and types of
 * expected fields are the same whatever is answered, since a pair takes the index of the expected
 * element. Linear; recursive.
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
