import type { Json } from "../../../../contracts/json.ts";
import { countCodePoints } from "../../../../measures/text/code-points.ts";
import { levenshteinSimilarity } from "../../../../measures/text/levenshtein-similarity.ts";
import { normalizeText, type TextRules } from "../../../../measures/text/normalize-text.ts";
import {
  containmentBound,
  levenshteinBound,
  type TextSketch,
  textSketch,
  tokenF1Bound,
} from "../../../../measures/text/text-sketch.ts";
import { tokenSet, tokenSetF1 } from "../../../../measures/text/token-f1.ts";

/** A string in compared form, with cached properties: equal strings of two fields share it. */
export interface FieldText {
  normal: string;
  tokens: ReadonlySet<string> | null;
  sketch: TextSketch | null;
}

/** The text of a field. */
interface TextField {
  readonly value: Json;
  /** Only for a string; computed on first use. */
  text: FieldText | null;
}

/**
 * The text of a string field, normalised once.
 * @example fieldText(field(" A  b"), rules).normal // "a b"
 */
export function fieldText(field: TextField, rules: TextRules): FieldText {
  field.text ??= {
    normal: normalizeText(field.value as string, rules),
    tokens: null,
    sketch: null,
  };
  return field.text;
}

/**
 * Whether two string fields are equal after normalisation. The predicted field then reuses the text of the expected
 * one, whose words are not computed again for every answer.
 * Source: docs/spec/extraction.md, section 3.
 * @example isSameText(field("A b"), field("a  B"), rules) // true
 */
export function isSameText(expected: TextField, predicted: TextField, rules: TextRules): boolean {
  const e = fieldText(expected, rules);
  if (expected.value !== predicted.value && e.normal !== fieldText(predicted, rules).normal) {
    return false;
  }
  predicted.text = e;
  return true;
}

/**
 * The distinct words of a text, computed once; none for an empty text.
 * @example tokensOf(text).has("oslo")
 */
export function tokensOf(text: FieldText): ReadonlySet<string> {
  text.tokens ??= tokenSet(text.normal);
  return text.tokens;
}

/**
 * The sketch of a text, which bounds its similarity to others; computed once.
 * @example sketchOf(text)
 */
export function sketchOf(text: FieldText): TextSketch {
  text.sketch ??= textSketch(text.normal, tokensOf(text));
  return text.sketch;
}

/** Similarities of two strings after normalisation, each 0–1. */
export interface StringSimilarity {
  tokenF1: number;
  levenshtein: number;
  containment: number;
}

/**
 * The three similarities of two different texts, 0–1; all 0 if one is empty.
 * Source: docs/spec/extraction.md, section 3.
 * @example stringSimilarity(text("new york"), text("york")).containment // 0.5
 */
export function stringSimilarity(expected: FieldText, predicted: FieldText): StringSimilarity {
  const [e, p] = [expected.normal, predicted.normal];
  if (e === "" || p === "") return { tokenF1: 0, levenshtein: 0, containment: 0 };
  return {
    tokenF1: tokenSetF1(tokensOf(expected), tokensOf(predicted)),
    levenshtein: levenshteinSimilarity(e, p),
    containment: containment(e, p),
  };
}

/**
 * The composite of two strings, 0–1.
 * Source: docs/spec/extraction.md, section 3.
 * @example stringComposite({ tokenF1: 1, levenshtein: 0, containment: 0 }) // 0.5
 */
export function stringComposite({ tokenF1, levenshtein, containment }: StringSimilarity): number {
  return 0.5 * tokenF1 + 0.3 * levenshtein + 0.2 * containment;
}

/**
 * Upper bounds of the similarities of two texts, 0–1, many times faster.
 * @example similarityBound(text("abc"), text("xyz")) // all 0
 */
export function similarityBound(expected: FieldText, predicted: FieldText): StringSimilarity {
  const [e, p] = [sketchOf(expected), sketchOf(predicted)];
  return {
    tokenF1: tokenF1Bound(e, p),
    levenshtein: levenshteinBound(e, p),
    containment: containmentBound(e, p),
  };
}

/**
 * Containment of one text in the other, 0–1: 1 if `predicted` contains `expected`; the ratio of their lengths (in code
 * points) if `expected` contains `predicted`; else 0. 0 if one side is empty. Not symmetric. Linear.
 * Source: docs/spec/extraction.md, section 3.
 * @example containment("San Francisco, CA", "San Francisco") // 13/17
 */
export function containment(expected: string, predicted: string): number {
  if (expected === "" || predicted === "") return 0;
  if (predicted.includes(expected)) return 1;
  return expected.includes(predicted) ? countCodePoints(predicted) / countCodePoints(expected) : 0;
}
