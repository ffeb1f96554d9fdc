import { closest, distance } from "fastest-levenshtein";

/**
 * The known name most similar to `given`, as the end of a sentence; empty if none is similar.
 * @example suggestion("--datset", ["--dataset", "--answers"]) // "; did you mean --dataset?"
 */
export function suggestion(given: string, known: readonly string[]): string {
  if (known.length === 0) return "";
  // Edit distance misses these: swapped letters count as two edits, and the first word of a name is far from the whole.
  const sure = known.find(
    (name) => lettersOf(name) === lettersOf(given) || name.startsWith(`${given}-`),
  );
  if (sure !== undefined) return `; did you mean ${sure}?`;
  const nearest = closest(given, known);
  // Two of five letters may differ, such as two swapped ones; one letter always may.
  const most = Math.max(1, Math.floor(nearest.replace(/^-+/, "").length * 0.4));
  return distance(given, nearest) <= most ? `; did you mean ${nearest}?` : "";
}

const lettersOf = (text: string): string => [...text].sort().join("");
