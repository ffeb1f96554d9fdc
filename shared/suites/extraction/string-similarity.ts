import { containment } from "../../measures/containment.ts";
import { levenshteinSimilarity } from "../../measures/levenshtein-similarity.ts";
import { normalizeText, type TextRules } from "../../measures/normalize-text.ts";
import {
  containmentBound,
  levenshteinBound,
  type TextSketch,
  textSketch,
  tokenF1Bound,
} from "../../measures/text-sketch.ts";
import { tokenSet, tokenSetF1 } from "../../measures/token-f1.ts";
import type { FieldNode } from "./flatten.ts";

/** How alike two strings are after normalisation, each 0–1. */
export interface StringSimilarity {
  tokenF1: number;
  levenshtein: number;
  containment: number;
}

/**
 * The normalised text of a string field, worked out once.
 * @example textOf(field(" A  b"), rules) // "a b"
 */
export function textOf(field: FieldNode, rules: TextRules): string {
  field.text ??= normalizeText(field.value as string, rules);
  return field.text;
}

/**
 * The three similarities of two strings that are not identical, 0–1; all 0 when one is empty.
 * Source: specification of the extraction suite, section 3.
 * @example stringSimilarity(field("new york"), field("york"), rules).containment // 0.5
 */
export function stringSimilarity(
  expected: FieldNode,
  predicted: FieldNode,
  rules: TextRules,
): StringSimilarity {
  const [e, p] = [textOf(expected, rules), textOf(predicted, rules)];
  if (e === "" || p === "") return { tokenF1: 0, levenshtein: 0, containment: 0 };
  return {
    tokenF1: tokenSetF1(tokensOf(expected, e), tokensOf(predicted, p)),
    levenshtein: levenshteinSimilarity(e, p),
    containment: containment(e, p),
  };
}

/**
 * The composite of two strings, 0–1.
 * Source: specification of the extraction suite, section 3.
 * @example stringComposite({ tokenF1: 1, levenshtein: 0, containment: 0 }) // 0.5
 */
export function stringComposite({ tokenF1, levenshtein, containment }: StringSimilarity): number {
  return 0.5 * tokenF1 + 0.3 * levenshtein + 0.2 * containment;
}

/**
 * The most that each similarity of two strings can be, 0–1, many times faster.
 * @example similarityBound(field("abc"), field("xyz"), rules) // all 0
 */
export function similarityBound(
  expected: FieldNode,
  predicted: FieldNode,
  rules: TextRules,
): StringSimilarity {
  const [e, p] = [sketchOf(expected, rules), sketchOf(predicted, rules)];
  return {
    tokenF1: tokenF1Bound(e, p),
    levenshtein: levenshteinBound(e, p),
    containment: containmentBound(e, p),
  };
}

function sketchOf(field: FieldNode, rules: TextRules): TextSketch {
  field.sketch ??= textSketch(textOf(field, rules));
  return field.sketch;
}

function tokensOf(field: FieldNode, text: string): ReadonlySet<string> {
  field.tokens ??= tokenSet(text);
  return field.tokens;
}
