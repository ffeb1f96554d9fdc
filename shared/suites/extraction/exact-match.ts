import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";
import { normalizeText, type TextRules } from "../../measures/normalize-text.ts";
import { numberEpsilon } from "./composite.ts";

/** What exact match overlooks. */
export interface ExactMatchRules extends TextRules {
  arrayOrder: boolean;
}

/**
 * Whether a whole output equals the expected one: properties that are null dropped on both sides,
 * strings in NFC and, as `rules` ask, with whitespace normalised and in lower case, numbers within
 * 1e-6, arrays in order unless `arrayOrder` is off (then O(n²) in their length). Linear otherwise.
 * Source: specification of the extraction suite, section 5.
 * @example exactMatch({ a: "x  y", b: null }, { a: "x y" }, rules) // true
 */
export function exactMatch(expected: Json, predicted: Json, rules: ExactMatchRules): boolean {
  if (expected === predicted) return true;
  if (typeof expected === "string" && typeof predicted === "string") {
    return normalizeText(expected, rules) === normalizeText(predicted, rules);
  }
  if (typeof expected === "number" && typeof predicted === "number") {
    return Math.abs(expected - predicted) <= numberEpsilon;
  }
  if (Array.isArray(expected) && Array.isArray(predicted)) {
    return matchArrays(expected, predicted, rules);
  }
  return isJsonObject(expected) && isJsonObject(predicted)
    ? matchObjects(expected, predicted, rules)
    : false;
}

function matchObjects(
  expected: JsonObject,
  predicted: JsonObject,
  rules: ExactMatchRules,
): boolean {
  const names = presentNames(expected);
  if (names.length !== presentNames(predicted).length) return false;
  return names.every(
    (name) =>
      Object.hasOwn(predicted, name) && exactMatch(expected[name]!, predicted[name]!, rules),
  );
}

function presentNames(object: JsonObject): string[] {
  return Object.keys(object).filter((name) => object[name] !== null);
}

function matchArrays(expected: Json[], predicted: Json[], rules: ExactMatchRules): boolean {
  if (expected.length !== predicted.length) return false;
  if (rules.arrayOrder) return expected.every((e, i) => exactMatch(e, predicted[i]!, rules));
  const rest = [...predicted];
  return expected.every((e) => {
    const at = rest.findIndex((p) => exactMatch(e, p, rules));
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
}
