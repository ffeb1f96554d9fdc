import type { Json } from "../../contracts/json.ts";
import { containment } from "../../measures/containment.ts";
import { jaccard } from "../../measures/jaccard.ts";
import { jsonType } from "../../measures/json-type.ts";
import { levenshteinSimilarity } from "../../measures/levenshtein-similarity.ts";
import { normalizeText, type TextRules } from "../../measures/normalize-text.ts";
import { tokenSet, tokenSetF1 } from "../../measures/token-f1.ts";
import type { FieldNode } from "./flatten.ts";

/** How field values are compared. */
export interface MatchRules extends TextRules {
  coerceTypes: boolean;
  numericTolerance: number;
}

/** Two numbers no further apart are identical: what decimal notation loses in a double. */
export const numberEpsilon = 1e-6;

/**
 * Whether two fields are the same after normalisation: strings by their normalised text, numbers
 * within 1e-6, arrays element by element in order, `{}` and `{}`. Never across JSON types. Linear.
 * Source: specification of the extraction suite, section 3.
 * @example identical(field("A b"), field("a  B"), rules) // true
 */
export function identical(expected: FieldNode, predicted: FieldNode, rules: MatchRules): boolean {
  if (expected.type !== predicted.type) return false;
  const [e, p] = [expected.value, predicted.value];
  if (e === p) return true;
  if (expected.type === "string") return textOf(expected, rules) === textOf(predicted, rules);
  if (expected.type === "array") return sameElements(e as Json[], p as Json[], rules);
  return expected.type === "object" || sameNumber(e, p);
}

/**
 * How close a predicted field comes to the expected one, 0–1: strings
 * 0.5·token F1 + 0.3·Levenshtein + 0.2·containment, numbers 1 − relative error, arrays the Jaccard
 * index of their element sets; identical 1, different types 0, unlike booleans 0. One string empty: 0;
 * expected number 0 and not identical: 0.
 * Source: specification of the extraction suite, section 3.
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
      return stringSimilarity(expected, predicted, rules);
    case "number":
      return numberCloseness(expected.value as number, predicted.value as number);
    case "array":
      return jaccard(elementsOf(expected, rules), elementsOf(predicted, rules));
    default:
      return 0;
  }
}

function textOf(field: FieldNode, rules: TextRules): string {
  field.text ??= normalizeText(field.value as string, rules);
  return field.text;
}

function sameNumber(a: Json, b: Json): boolean {
  return typeof a === "number" && typeof b === "number" && Math.abs(a - b) <= numberEpsilon;
}

function sameElements(a: Json[], b: Json[], rules: TextRules): boolean {
  return a.length === b.length && a.every((element, i) => sameScalar(element, b[i]!, rules));
}

function sameScalar(a: Json, b: Json, rules: TextRules): boolean {
  if (a === b) return true;
  if (typeof a !== "string" || typeof b !== "string") return sameNumber(a, b);
  return normalizeText(a, rules) === normalizeText(b, rules);
}

function tokensOf(field: FieldNode, text: string): ReadonlySet<string> {
  field.tokens ??= tokenSet(text);
  return field.tokens;
}

function stringSimilarity(expected: FieldNode, predicted: FieldNode, rules: TextRules): number {
  const [e, p] = [textOf(expected, rules), textOf(predicted, rules)];
  if (e === "" || p === "") return 0;
  return (
    0.5 * tokenSetF1(tokensOf(expected, e), tokensOf(predicted, p)) +
    0.3 * levenshteinSimilarity(e, p) +
    0.2 * containment(e, p)
  );
}

/** An expected number beyond the range of doubles is infinite: nothing else is close to it. */
function numberCloseness(expected: number, predicted: number): number {
  if (expected === 0 || !Number.isFinite(expected)) return 0;
  return Math.max(0, 1 - Math.abs(predicted - expected) / Math.abs(expected));
}

/** Each element as its type and normalised value. */
function elementsOf(field: FieldNode, rules: TextRules): ReadonlySet<string> {
  field.elements ??= new Set(
    (field.value as Json[]).map((element) => {
      const text = typeof element === "string" ? normalizeText(element, rules) : String(element);
      return `${jsonType(element)}:${text}`;
    }),
  );
  return field.elements;
}
