import type { Json } from "../../../contracts/json.ts";
import type { TextRules } from "../../../measures/text/normalize-text.ts";
import { sameScalar } from "./composite.ts";
import type { FieldNode, FieldTree, ObjectNode } from "./fields/field-tree.ts";

/** Differences that exact match ignores. */
export interface ExactMatchRules extends TextRules {
  arrayOrder: boolean;
}

/**
 * Whether a whole output equals the expected one, both as trees of fields without null properties: strings in NFC and,
 * depending on `rules`, with normalised whitespace and in lower case; numbers within 1e-6; arrays in order unless
 * `arrayOrder` is off (then O(n²) in their length). Linear otherwise.
 * Source: docs/spec/extraction.md, section 5.
 * @example exactMatch(fieldTree({ a: "x  y", b: null }), fieldTree({ a: "x y" }), rules) // true
 */
export function exactMatch(
  expected: FieldTree | null,
  predicted: FieldTree | null,
  rules: ExactMatchRules,
): boolean {
  if (expected === predicted) return true;
  if (expected === null || predicted === null) return false;
  if (expected.kind === "object") {
    return predicted.kind === "object" && matchObjects(expected, predicted, rules);
  }
  if (expected.kind === "field") {
    return predicted.kind === "field" && matchLeaves(expected, predicted, rules);
  }
  if (predicted.kind !== "list") return false;
  return matchArrays(expected.elements, predicted.elements, exactMatch, rules);
}

function matchObjects(
  { children }: ObjectNode,
  predicted: ObjectNode,
  rules: ExactMatchRules,
): boolean {
  if (children.size !== predicted.children.size) return false;
  for (const [name, child] of children) {
    const other = predicted.children.get(name);
    if (other === undefined || !exactMatch(child, other, rules)) return false;
  }
  return true;
}

function matchLeaves(expected: FieldNode, predicted: FieldNode, rules: ExactMatchRules): boolean {
  if (expected.type !== predicted.type) return false;
  if (expected.type === "object") return true;
  const [e, p] = [expected.value, predicted.value];
  if (expected.type !== "array") return sameScalar(e, p, rules);
  return matchArrays(e as Json[], p as Json[], sameScalar, rules);
}

function matchArrays<Element>(
  expected: readonly Element[],
  predicted: readonly Element[],
  matches: (e: Element, p: Element, rules: ExactMatchRules) => boolean,
  rules: ExactMatchRules,
): boolean {
  if (expected.length !== predicted.length) return false;
  if (rules.arrayOrder) return expected.every((e, i) => matches(e, predicted[i]!, rules));
  const rest = [...predicted];
  return expected.every((e) => {
    const at = rest.findIndex((p) => matches(e, p, rules));
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
}
