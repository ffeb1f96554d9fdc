import type { Json } from "../../../contracts/json.ts";
import { jsonType } from "../../../measures/matching/json-type.ts";
import { normalizeText, type TextRules } from "../../../measures/text/normalize-text.ts";
import type { FieldRules } from "./fields/field-rules.ts";
import {
  fieldText,
  isSameText,
  similarityBound,
  stringComposite,
  stringSimilarity,
} from "./fields/field-text.ts";
import type { FieldNode } from "./fields/field-tree.ts";

/** How field values are compared. */
export interface MatchRules extends TextRules {
  coerceTypes: boolean;
  numericTolerance: number;
  /** Rules of single fields; missing or null: none. */
  fields?: FieldRules | null;
}

/** Numbers that differ by at most this are identical: the error of decimal notation in a double. */
const numberEpsilon = 1e-6;

/**
 * Whether two fields are equal after normalisation: strings by their normalised text, numbers
 * within 1e-6, arrays element by element in order, `{}` and `{}`. Never across JSON types. Linear.
 * Source: docs/spec/extraction.md, section 3.
 * @example identical(field("A b"), field("a  B"), rules) // true
 */
export function identical(expected: FieldNode, predicted: FieldNode, rules: MatchRules): boolean {
  if (expected.type !== predicted.type) return false;
  if (expected.type === "string") return isSameText(expected, predicted, rules);
  const [e, p] = [expected.value, predicted.value];
  if (e === p) return true;
  if (expected.type === "array") return sameElements(e as Json[], p as Json[], rules);
  return expected.type === "object" || sameNumber(e, p);
}

/**
 * Similarity of a predicted field to the expected one, 0–1: strings 0.5·token F1 + 0.3·Levenshtein + 0.2·containment,
 * numbers 1 − relative error, arrays the Jaccard index of their element sets. Identical fields 1, different types 0,
 * different booleans 0. 0 if one string is empty, or if 0 is expected and the numbers are not identical.
 * Source: docs/spec/extraction.md, section 3.
 * @example composite(field(10), field(9), rules) // 0.9
 */
export function composite(expected: FieldNode, predicted: FieldNode, rules: MatchRules): number {
  return identical(expected, predicted, rules) ? 1 : closeness(expected, predicted, rules);
}

/**
 * `composite` of two fields known not to be identical, 0–1.
 * @example closeness(field("new york"), field("york"), rules) // 0.68…
 */
export function closeness(expected: FieldNode, predicted: FieldNode, rules: MatchRules): number {
  if (expected.type !== predicted.type) return 0;
  switch (expected.type) {
    case "string":
      return stringComposite(
        stringSimilarity(fieldText(expected, rules), fieldText(predicted, rules)),
      );
    case "number":
      return numberCloseness(expected.value as number, predicted.value as number);
    case "array":
      return jaccard(elementsOf(expected, rules), elementsOf(predicted, rules));
    default:
      return 0;
  }
}

function sameNumber(a: Json, b: Json): boolean {
  return typeof a === "number" && typeof b === "number" && Math.abs(a - b) <= numberEpsilon;
}

function sameElements(a: Json[], b: Json[], rules: TextRules): boolean {
  return a.length === b.length && a.every((element, i) => sameScalar(element, b[i]!, rules));
}

/**
 * Whether two scalars are equal: numbers within 1e-6, texts after normalisation.
 * @example sameScalar(0.1 + 0.2, 0.3, rules) // true
 */
export function sameScalar(a: Json, b: Json, rules: TextRules): boolean {
  if (a === b) return true;
  if (typeof a !== "string" || typeof b !== "string") return sameNumber(a, b);
  return normalizeText(a, rules) === normalizeText(b, rules);
}

/**
 * An upper bound of the composite of two fields, 0–1: `composite` itself, except for strings, whose sketches give
 * a bound many times faster.
 * @example compositeBound(field("abc"), field("xyz"), rules) // 0
 */
export function compositeBound(
  expected: FieldNode,
  predicted: FieldNode,
  rules: MatchRules,
): number {
  if (expected.type !== "string" || predicted.type !== "string") {
    return composite(expected, predicted, rules);
  }
  if (identical(expected, predicted, rules)) return 1;
  return stringComposite(similarityBound(fieldText(expected, rules), fieldText(predicted, rules)));
}

/** An expected number beyond the range of doubles is infinite: nothing else is close to it. */
function numberCloseness(expected: number, predicted: number): number {
  if (expected === 0 || !Number.isFinite(expected)) return 0;
  return Math.max(0, 1 - Math.abs(predicted - expected) / Math.abs(expected));
}

/**
 * The elements of a scalar array as a set, each as its JSON type and normalised value.
 * @example elementsOf(field(["A", 1, "a"]), rules) // Set { "string:a", "number:1" }
 */
export function elementsOf(field: FieldNode, rules: TextRules): ReadonlySet<string> {
  field.elements ??= new Set(
    (field.value as Json[]).map((element) => {
      const text = typeof element === "string" ? normalizeText(element, rules) : String(element);
      return `${jsonType(element)}:${text}`;
    }),
  );
  return field.elements;
}

/**
 * Overlap of two sets: |A∩B| / |A∪B|, 0–1, symmetric; 0 if both are empty. Linear.
 * Source: Jaccard 1912; docs/spec/extraction.md, section 3.
 * @example jaccard(new Set(["a", "b"]), new Set(["b", "c"])) // 1/3
 */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const element of a) if (b.has(element)) shared++;
  const union = a.size + b.size - shared;
  return union === 0 ? 0 : shared / union;
}
