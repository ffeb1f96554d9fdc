import type { Passage } from "./passages.ts";
import type { Mark } from "./shown-text.ts";

/**
 * A mark at a place of a text that was looked for in one of several forms. It is loose where the words there are
 * in none of them letter for letter: they differ in case, blanks, kinds of quotation marks, separators of
 * digits or the form of a date. Without any form it is loose. Linear in the forms.
 * @example foundMark("ADA", { from: 0, to: 3 }, ["Ada"], { tone: "good", label: "found" }).isLoose // true
 */
export function foundMark(
  text: string,
  place: Passage,
  forms: readonly string[],
  mark: Pick<Mark, "tone" | "label">,
): Mark {
  const words = text.slice(place.from, place.to);
  const isVerbatim = forms.some((form) => form.includes(words));
  return { ...place, ...mark, ...(isVerbatim ? {} : { isLoose: true }) };
}
