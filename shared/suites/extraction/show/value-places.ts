import type { Json } from "../../../contracts/json.ts";
import type { TextRules } from "../../../measures/normalize-text.ts";
import { type Passage, passagesIn } from "../../../measures/report/passages.ts";
import { cutPlace } from "../../../measures/report/shown-text.ts";
import { TextEvidence } from "../score/errors/evidence.ts";
import { decimalForm, numberPlace, ungrouped } from "../score/errors/number-text.ts";
import { datePlaces } from "./date-places.ts";

/** Past this, nothing is looked for: a reader sees a part of such a text anyway. */
const longestText = 50_000;
/** Places of one value: more marks than these help nobody. */
const mostPlaces = 20;
/** Elements of an array that are looked for. */
const mostElements = 10;
/** A single character stands in most texts by chance. */
const shortestForm = 2;

/** A text with digit-group separators removed, and where each of its characters was before. */
interface Ungrouped {
  text: string;
  places: readonly number[];
}

/**
 * Where values stand in a sample's text, by the evidence that scoring goes by: the places of a string, of a
 * number also with digit-group separators, of an array those of its elements; and of a date, which scoring takes
 * as any string, those where the text writes it in another form. Empty for what the text does not
 * hold, for booleans and nulls, and for what is a single character long. Linear in the text for each value; only
 * its first 50,000 UTF-16 units are looked at.
 * Source: docs/spec/extraction.md, section 8.
 * @example valuePlaces("Total: 1,200 EUR", rules)(1200) // [{ from: 7, to: 12 }]
 */
export function valuePlaces(text: string, rules: TextRules): (value: Json) => Passage[] {
  const part = text.slice(0, cutPlace(text, longestText));
  const evidence = new TextEvidence(part, rules);
  const passages = passagesIn(part);
  const spaced = part.replace(/\s/g, " ");
  let bare: Ungrouped | null = null;
  const placesOf = (value: Json): Passage[] => {
    if (typeof value === "string") {
      if (value.trim().length < shortestForm) return [];
      return evidence.holds(value) ? passages(value) : datePlaces(value, part);
    }
    if (typeof value === "number" && Number.isFinite(value)) {
      const form = decimalForm(value);
      if (form.length < shortestForm) return [];
      const found = numberPlaces(form, spaced);
      if (found.length > 0) return found;
      bare ??= withoutGroups(spaced);
      return numberPlaces(form, bare.text).map((place) => placeBefore(place, bare!));
    }
    return Array.isArray(value) ? value.slice(0, mostElements).flatMap(placesOf) : [];
  };
  return placesOf;
}

function numberPlaces(form: string, text: string): Passage[] {
  const found: Passage[] = [];
  let place = numberPlace(form, text, 0);
  while (place !== null && found.length < mostPlaces) {
    found.push(place);
    place = numberPlace(form, text, place.to);
  }
  return found;
}

/** What is removed is a separator and what follows it a digit, so the two never look alike. */
function withoutGroups(spaced: string): Ungrouped {
  const text = ungrouped(spaced);
  const places: number[] = [];
  for (let at = 0; at < spaced.length; at++) {
    if (spaced[at] === text[places.length]) places.push(at);
  }
  return { text, places };
}

function placeBefore({ from, to }: Passage, { places }: Ungrouped): Passage {
  return { from: places[from]!, to: places[to - 1]! + 1 };
}
