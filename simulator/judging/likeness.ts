import { distance } from "fastest-levenshtein";
import { isJsonObject, type Json } from "../../shared/contracts/json.ts";
import { parsedOr } from "./material.ts";

const numbers = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

/** Spellings closer than this may be slips of the pen. */
const leastSpelling = 0.75;

/** Longer texts are compared word by word alone: edit distance is quadratic. */
const longestSpelt = 500;

/**
 * How alike two values are, 0–1: the same words in whatever order, or nearly the same spelling. 1 where
 * both are empty, 0 where one is.
 * @example likeness("two cats", "2 cats") // 1
 */
export function likeness(expected: string, predicted: string): number {
  const [a, b] = [wordsOf(expected), wordsOf(predicted)];
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 1 : 0;
  const shared = a.filter((word) => b.includes(word)).length;
  const [precision, recall] = [
    b.filter((word) => a.includes(word)).length / b.length,
    shared / a.length,
  ];
  const sameWords = shared === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return Math.max(sameWords, spelling(a.join(" "), b.join(" ")));
}

function spelling(a: string, b: string): number {
  const length = Math.max(a.length, b.length);
  if (length > longestSpelt) return 0;
  const alike = 1 - distance(a, b) / length;
  return alike >= leastSpelling ? alike : 0;
}

function wordsOf(text: string): string[] {
  const words =
    flat(parsedOr(text, text))
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const isNothing = words.length === 1 && /^(?:none|null|empty|nothing)$/.test(words[0]!);
  return isNothing ? [] : words.map((word) => String(numbers.indexOf(word)).replace("-1", word));
}

function flat(value: Json): string {
  if (Array.isArray(value)) return value.map(flat).join(" ");
  if (isJsonObject(value)) return Object.values(value).map(flat).join(" ");
  return value === null ? "" : String(value);
}
