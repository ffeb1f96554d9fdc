import type { StringSimilarity } from "./field-text.ts";

/** Category of a field that both sides have. */
type MatchCategory = "exact" | "partial" | "incorrect";

/** Category of any field. */
export type FieldCategory = MatchCategory | "missed" | "spurious";

/** Credit of a field, 0–1. */
export const categoryCredit: Readonly<Record<FieldCategory, number>> = {
  exact: 1,
  partial: 0.5,
  incorrect: 0,
  missed: 0,
  spurious: 0,
};

/** Minimum composite of an exact string or array. */
export const exactCut = 0.95;

/** Minimum composite of a partial match. */
const partialCut = 0.5;
export const lenientCut = 0.3;

/** How a predicted field compares with the expected one. */
export interface Comparison {
  identical: boolean;
  /** 0–1. */
  composite: number;
  category: MatchCategory;
  /** Whether both have the same JSON type, if necessary after coercion. */
  sameType: boolean;
  /** Only for two strings. */
  similarity: StringSimilarity | null;
}

/**
 * The category of a field that is not exact: partial from a composite of 0.5, else incorrect.
 * Source: docs/spec/extraction.md, section 4.
 * @example partialOr(0.4) // "incorrect"
 */
export function partialOr(score: number): MatchCategory {
  return score >= partialCut ? "partial" : "incorrect";
}
