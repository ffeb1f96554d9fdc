import { containment } from "../../../../measures/containment.ts";
import { levenshteinSimilarity } from "../../../../measures/levenshtein-similarity.ts";
import {
  containmentBound,
  levenshteinBound,
  tokenF1Bound,
} from "../../../../measures/text-sketch.ts";
import { tokenSetF1 } from "../../../../measures/token-f1.ts";
import { type FieldText, sketchOf, tokensOf } from "./field-text.ts";

/** How alike two strings are after normalisation, each 0–1. */
export interface StringSimilarity {
  tokenF1: number;
  levenshtein: number;
  containment: number;
}

/**
 * The three similarities of two texts that are not the same, 0–1; all 0 when one is empty.
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
 * The most that each similarity of two texts can be, 0–1, many times faster.
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
