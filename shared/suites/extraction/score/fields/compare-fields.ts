import { closeness, identical, type MatchRules } from "../composite.ts";
import { type Comparison, exactCut, partialOr } from "./category.ts";
import { compareByRule } from "./compare-by-rule.ts";
import type { FieldRule } from "./field-rule.ts";
import { fieldText, stringComposite, stringSimilarity } from "./field-text.ts";
import type { FieldNode } from "./field-tree.ts";

const same: Comparison = {
  identical: true,
  composite: 1,
  category: "exact",
  sameType: true,
  similarity: null,
};

const sameText: Comparison = {
  ...same,
  similarity: { tokenF1: 1, levenshtein: 1, containment: 1 },
};

const unlike: Comparison = {
  identical: false,
  composite: 0,
  category: "incorrect",
  sameType: false,
  similarity: null,
};

/**
 * Compares two fields: exact from a composite of 0.95, partial from 0.5, else incorrect. A number is exact only if it
 * is identical, or if neither side is whole and they differ by at most `numericTolerance` of the expected number; a
 * boolean is exact or incorrect.
 * Source: docs/spec/extraction.md, section 4.
 * @example compareFields(field(34), field(35), rules).category // "partial"
 */
export function compareFields(
  expected: FieldNode,
  predicted: FieldNode,
  rules: MatchRules,
): Comparison {
  const rule = ruleOf(expected, rules);
  return rule === undefined
    ? compareByType(expected, predicted, rules)
    : compareByRule(expected, predicted, rule, () => compareByType(expected, predicted, rules));
}

/**
 * The rule of an expected field; undefined if it has none.
 * @example ruleOf(field("a"), rules) // undefined
 */
export const ruleOf = ({ place }: FieldNode, { fields }: MatchRules): FieldRule | undefined =>
  fields == null || place === null ? undefined : fields.of(place.namePath);

function compareByType(expected: FieldNode, predicted: FieldNode, rules: MatchRules): Comparison {
  if (expected.type !== predicted.type) {
    const pair = rules.coerceTypes ? coercedPair(expected, predicted) : null;
    return pair === null ? unlike : compareByType(...pair, rules);
  }
  const isText = expected.type === "string";
  if (identical(expected, predicted, rules)) return isText ? sameText : same;
  if (isText) return compareTexts(expected, predicted, rules);
  const score = closeness(expected, predicted, rules);
  const exact =
    expected.type === "number"
      ? withinTolerance(expected.value as number, predicted.value as number, rules)
      : score >= exactCut;
  const category = exact ? "exact" : partialOr(score);
  return { identical: false, composite: score, category, sameType: true, similarity: null };
}

/**
 * The same two texts are often compared again after their array is aligned, so the result is cached. An expected text
 * that equal fields share caches nothing of an answer, because it lives longer than the answer.
 */
function compareTexts(expected: FieldNode, predicted: FieldNode, rules: MatchRules): Comparison {
  if (predicted.compared?.expected === expected) return predicted.compared.comparison;
  const similarity = stringSimilarity(fieldText(expected, rules), fieldText(predicted, rules));
  const score = stringComposite(similarity);
  const category = score >= exactCut ? "exact" : partialOr(score);
  const comparison: Comparison = {
    identical: false,
    composite: score,
    category,
    sameType: true,
    similarity,
  };
  if (predicted.place === null) predicted.compared = { expected, comparison };
  return comparison;
}

function withinTolerance(expected: number, predicted: number, rules: MatchRules): boolean {
  if (Number.isInteger(expected) || Number.isInteger(predicted)) return false;
  return Math.abs(predicted - expected) / Math.abs(expected) <= rules.numericTolerance;
}

/** JSON's number grammar (RFC 8259, section 6), which is stricter than `Number()`. */
const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * The two fields with the string side read as a number or boolean if the other side is one; null if that is not
 * possible. Used when `coerceTypes` is set.
 * Source: docs/spec/extraction.md, section 3.
 * @example coercedPair(field("5"), field(5)) // [field(5), field(5)]
 */
export function coercedPair(
  expected: FieldNode,
  predicted: FieldNode,
): [FieldNode, FieldNode] | null {
  const e = coerced(expected, predicted.type);
  const p = coerced(predicted, expected.type);
  if (e !== null) return [e, predicted];
  return p === null ? null : [expected, p];
}

function coerced(field: FieldNode, type: FieldNode["type"]): FieldNode | null {
  if (field.type !== "string") return null;
  const text = (field.value as string).trim();
  if (type === "number" && jsonNumber.test(text)) return { ...field, type, value: Number(text) };
  if (type === "boolean" && (text === "true" || text === "false")) {
    return { ...field, type, value: text === "true" };
  }
  return null;
}
