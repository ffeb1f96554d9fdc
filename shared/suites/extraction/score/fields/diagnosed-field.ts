import type { Json } from "../../../../contracts/json.ts";
import type { FieldCategory } from "./category.ts";
import type { StringSimilarity } from "./field-text.ts";

/** JSON type of a field; a scalar array is one field. */
export type FieldType = "string" | "number" | "boolean" | "array" | "object";

/**
 * The output in place of an expected field: a value of that JSON type (even one that does not match),
 * nothing, or an explicit null before nulls were dropped. For a spurious field its own type.
 */
export type PredictedType = FieldType | "absent" | "null";

/**
 * The origin of a value that should not be there: `fabricated` (spurious, not in the text),
 * `wrongValue` (incorrect, not in the text), `misplaced` (spurious, in the text), `surplus` (field of
 * an element beyond the expected ones, or elements beyond the expected set of a scalar array).
 */
export const hallucinations = ["fabricated", "wrongValue", "misplaced", "surplus"] as const;
export type Hallucination = (typeof hallucinations)[number];

/** Error patterns in the order in which the first that fits is taken. */
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
  /** A field of an element beyond those that could be aligned. */
  excess?: true | undefined;
}

/** A field with everything that breakdowns and error analysis need of it. Not to be changed: shared. */
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
  /** Of a string on both sides. */
  similarity: StringSimilarity | null;
  hallucination: Hallucination | null;
  /**
   * Distinct elements of a scalar array on both sides that are not in the expected set: each counts as
   * one `surplus`, also where `hallucination` is `wrongValue`. 0 for a field of a surplus element.
   */
  surplusElements: number;
  /**
   * Null for an exact field, and for the spurious half of an error that is counted at its missed half:
   * a moved value, or a value where another shape was expected.
   */
  pattern: ErrorPattern | null;
}
