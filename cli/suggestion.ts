import { closest, distance } from "fastest-levenshtein";

/**
 * What may have been meant by `given`, as the end of a sentence; empty when nothing known is near.
 * @example suggestion("--datset", ["--dataset", "--answers"]) // "; did you mean --dataset?"
 */
export function suggestion(given: string, known: readonly string[]): string {
  if (known.length === 0) return "";
  const nearest = closest(given, known);
  // Two letters of five may be wrong, which two that changed places are; one always may.
  const near = distance(given, nearest) <= Math.max(1, Math.floor(nearest.length * 0.4));
  return near ? `; did you mean ${nearest}?` : "";
}
