import type { Json } from "../../../../contracts/json.ts";
import type { FieldCategory } from "./category.ts";
import type { StringSimilarity } from "./field-text.ts";

/** JSON type of a field; a scalar array is one field. */
export type FieldType = "string" | "number" | "boolean" | "array" | "object";

/**
 * The output at the place of an expected field: a value of this JSON type (even if it does not match), nothing, or an
 * explicit null before nulls were dropped. For a spurious field its own type.
 */
export type PredictedType = FieldType | "absent" | "null";

/**
 * The origin of a value that should not be there: `fabricated` (spurious, not in the text),
 * `wrongValue` (incorrect, not in the text), `misplaced` (spurious, in the text), `surplus` (field of
 * an element beyond the expected ones, or elements beyond the expected set of a scalar array).
 */
export const hallucinations = ["fabricated", "wrongValue", "misplaced", "surplus"] as const;
export type Hallucination = (typeof hallucinations)[number];

/** Error patterns in order of precedence: the first that fits is used. */
export const errorPatterns = [
  "type_coercion_failed",
  "wrong_type",
  "wrong_nesting",
  "array_vs_object",
  "missing_required_field",
  "extra_field",
  "incomplete_extraction",
  "over_extraction",
  "missing_value",
  "hallucinated_value",
  "partial_value",
  "wrong_value",
] as const;
export type ErrorPattern = (typeof errorPatterns)[number];

/** One field and its category. */
interface FieldMatch {
  path: string;
  expected?: Json | undefined;
  predicted?: Json | undefined;
  category: FieldCategory;
  /** 0–1; null for a field that only one side has. */
  composite: number | null;
  identical: boolean;
  /** Null for a missed field, which has no type to judge. */
  typeCorrect: boolean | null;
  /** A field of an element without an expected partner. */
  excess?: true | undefined;
}

/** A field with all data for breakdowns and error analysis. Do not change it: it is shared. */
export interface DiagnosedField extends FieldMatch {
  /** The path without indices: `items[].price`. */
  namePath: string;
  /** The last place on the path that the schema names; only present if it does not name the whole path. */
  openAt?: string | undefined;
  /** Property names in the path − 1; 0 for a root field. */
  depth: number;
  /** Null for a spurious field. */
  expectedType: FieldType | null;
  predictedType: PredictedType;
  /** Whether every property on the path is required; null for a spurious field. */
  required: boolean | null;
  /** Only for a string on both sides. */
  similarity: StringSimilarity | null;
  hallucination: Hallucination | null;
  /**
   * Distinct predicted elements that are not in the expected set, for a scalar array on both sides: each counts as one
   * `surplus`, even if `hallucination` is `wrongValue`. 0 for a field of a surplus element.
   */
  surplusElements: number;
  /**
   * Null for an exact field, and for the spurious half of an error that is counted at its missed half: a moved value,
   * or a value of an unexpected shape.
   */
  pattern: ErrorPattern | null;
}
