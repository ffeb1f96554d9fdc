import { isJsonObject, type Json, type JsonObject } from "../../../contracts/json.ts";
import { f1 } from "../../../measures/text/token-f1.ts";
import { alternatives, type ExpectedCall } from "../sample.ts";

/** A call that a model made; arguments are null if they did not parse to an object. */
export interface PredictedCall {
  name: string;
  arguments: JsonObject | null;
}

/**
 * Which predicted call matches each expected one, or null: expected calls are taken in
 * order and take the first unused match. O(expected · predicted · size of the arguments).
 * Source: docs/spec/tools.md, matching.
 * @example matchCalls([{ name: "ping", arguments: {} }], [{ name: "ping", arguments: {} }], false) // [0]
 */
export function matchCalls(
  expected: readonly ExpectedCall[],
  predicted: readonly PredictedCall[],
  strict: boolean,
): (number | null)[] {
  const used = new Set<number>();
  return expected.map((call) => {
    const at = predicted.findIndex((one, i) => !used.has(i) && isMatch(call, one, strict));
    if (at < 0) return null;
    used.add(at);
    return at;
  });
}

function isMatch(
  expected: ExpectedCall,
  { name, arguments: given }: PredictedCall,
  strict: boolean,
) {
  if (name !== expected.name || given === null) return false;
  const isMet = Object.entries(expected.arguments).every(([key, value]) =>
    isArgumentMet(value, given, key),
  );
  return isMet && (!strict || surplusArguments(expected.arguments, given).length === 0);
}

/**
 * Whether an argument is as expected: present with an equal value, or left out where it may be.
 * @example isArgumentMet({ any_of: ["NYC", ""] }, {}, "city") // true
 */
export function isArgumentMet(expected: Json, given: JsonObject, key: string): boolean {
  const value = Object.hasOwn(given, key) ? given[key] : undefined;
  return value === undefined ? isOptional(expected) : isEqual(expected, value);
}

/**
 * Names of arguments that were given but not expected.
 * @example surplusArguments({ a: 1 }, { a: 1, b: 2 }) // ["b"]
 */
export function surplusArguments(expected: JsonObject, given: JsonObject): string[] {
  return Object.keys(given).filter((key) => !Object.hasOwn(expected, key));
}

/** An empty value among the alternatives means that the argument may be left out. */
function isOptional(expected: Json): boolean {
  return alternatives(expected)?.some((value) => value === "" || value === null) ?? false;
}

/** `[]`, `{}` and null: an accepted `""` accepts the empty value of any type. */
const isEmptyValue = (value: Json): boolean =>
  value === null || (typeof value === "object" && Object.keys(value).length === 0);

/** Compares only as deep as the expected value, whatever the depth of the answer. */
function isEqual(expected: Json, value: Json): boolean {
  const any = alternatives(expected);
  if (any !== null) {
    return any.some((one) => (one === "" && isEmptyValue(value)) || isEqual(one, value));
  }
  if (typeof expected === "string") {
    return typeof value === "string" && folded(expected) === folded(value);
  }
  if (Array.isArray(expected)) {
    return (
      Array.isArray(value) &&
      value.length === expected.length &&
      expected.every((one, i) => isEqual(one, value[i]!))
    );
  }
  if (!isJsonObject(expected)) return expected === value;
  if (!isJsonObject(value)) return false;
  const isMet = Object.entries(expected).every(([key, one]) => isArgumentMet(one, value, key));
  return isMet && surplusArguments(expected, value).length === 0;
}

const folded = (text: string) => text.trim().toLowerCase();

/** An expected call and the call made instead of it, if both exist. */
export type CallPair =
  | { how: "matched" | "arguments" | "function"; expected: ExpectedCall; predicted: PredictedCall }
  | { how: "missing"; expected: ExpectedCall; predicted: null }
  | { how: "extra"; expected: null; predicted: PredictedCall };

/**
 * Expected calls in their order, each with the call that matched it, else with one of the right function and other
 * `arguments`, else with the next call of another `function`; then the remaining calls. `matches` is the predicted
 * call that each expected one took. O(expected · predicted).
 * Source: docs/spec/tools.md, failures.
 * @example pairCalls([{ name: "ping", arguments: {} }], [], [null])[0]?.how // "missing"
 */
export function pairCalls(
  expected: readonly ExpectedCall[],
  predicted: readonly PredictedCall[],
  matches: readonly (number | null)[],
): CallPair[] {
  const taken = new Set(matches.filter((at) => at !== null));
  const open = predicted.filter((_, i) => !taken.has(i));
  const sameName = expected.map((call, i): CallPair => {
    const at = matches[i] ?? null;
    if (at !== null) return { how: "matched", expected: call, predicted: predicted[at]! };
    const like = open.findIndex(({ name }) => name === call.name);
    if (like < 0) return { how: "missing", expected: call, predicted: null };
    return { how: "arguments", expected: call, predicted: open.splice(like, 1)[0]! };
  });
  const pairs = sameName.map((pair): CallPair => {
    const instead = pair.how === "missing" ? open.shift() : undefined;
    if (pair.how !== "missing" || instead === undefined) return pair;
    return { how: "function", expected: pair.expected, predicted: instead };
  });
  return [
    ...pairs,
    ...open.map((call): CallPair => ({ how: "extra", expected: null, predicted: call })),
  ];
}

/** Matches of the calls of a sample, each rate 0–1. */
export interface CallScore {
  matched: number;
  expected: number;
  predicted: number;
  precision: number;
  recall: number;
  f1: number;
  /** By expected call, the predicted one that matched it. */
  matches: (number | null)[];
}

/**
 * Precision, recall and F1 of calls: matched / predicted, matched / expected, and their harmonic mean; all
 * 1 where none was expected and none made. `leftOut` more calls were made than those listed.
 * Source: docs/spec/tools.md, metrics.
 * @example callScore([], [], 0, false).f1 // 1
 */
export function callScore(
  expected: readonly ExpectedCall[],
  calls: readonly PredictedCall[],
  leftOut: number,
  strict: boolean,
): CallScore {
  const matches = matchCalls(expected, calls, strict);
  const matched = matches.filter((at) => at !== null).length;
  const counts = { matched, expected: expected.length, predicted: calls.length + leftOut };
  if (counts.expected + counts.predicted === 0) {
    return { ...counts, precision: 1, recall: 1, f1: 1, matches };
  }
  const precision = matched === 0 ? 0 : matched / counts.predicted;
  const recall = matched === 0 ? 0 : matched / counts.expected;
  return { ...counts, precision, recall, f1: f1(precision, recall), matches };
}
