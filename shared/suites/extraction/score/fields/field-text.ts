import { normalizeText, type TextRules } from "../../../../measures/normalize-text.ts";
import { type TextSketch, textSketch } from "../../../../measures/text-sketch.ts";
import { tokenSet } from "../../../../measures/token-f1.ts";
import type { FieldNode } from "./flatten.ts";

/** A string as it is compared, and what was worked out of it: equal ones of two fields share it. */
export interface FieldText {
  normal: string;
  tokens: ReadonlySet<string> | null;
  sketch: TextSketch | null;
}

/**
 * The text of a string field, normalised once.
 * @example fieldText(field(" A  b"), rules).normal // "a b"
 */
export function fieldText(field: FieldNode, rules: TextRules): FieldText {
  field.text ??= {
    normal: normalizeText(field.value as string, rules),
    tokens: null,
    sketch: null,
  };
  return field.text;
}

/**
 * Whether two string fields are the same after normalisation. What is known of the expected one's words
 * holds for the predicted one then, and is not worked out for every answer.
 * Source: docs/spec/extraction.md, section 3.
 * @example isSameText(field("A b"), field("a  B"), rules) // true
 */
export function isSameText(expected: FieldNode, predicted: FieldNode, rules: TextRules): boolean {
  const e = fieldText(expected, rules);
  if (expected.value !== predicted.value && e.normal !== fieldText(predicted, rules).normal) {
    return false;
  }
  predicted.text = e;
  return true;
}

/**
 * The distinct words of a text, worked out once; none of an empty one.
 * @example tokensOf(text).has("oslo")
 */
export function tokensOf(text: FieldText): ReadonlySet<string> {
  text.tokens ??= tokenSet(text.normal);
  return text.tokens;
}

/**
 * What bounds the similarity of a text with others, worked out once.
 * @example sketchOf(text)
 */
export function sketchOf(text: FieldText): TextSketch {
  text.sketch ??= textSketch(text.normal, tokensOf(text));
  return text.sketch;
}
