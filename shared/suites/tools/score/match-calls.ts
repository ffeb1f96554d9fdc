import { isJsonObject, type Json, type JsonObject } from "../../../contracts/json.ts";
import { f1 } from "../../../measures/text/token-f1.ts";
import type { ToolsOptions } from "../options.ts";
import { alternatives, type ExpectedCall } from "../sample-parts.ts";

/** A model's call; arguments are null if they did not parse to an object. */
export interface PredictedCall {
  name: string;
  arguments: JsonObject | null;
}

/** How calls are compared. */
export type MatchRules = Pick<ToolsOptions, "strictArguments" | "textRules">;

/**
 * The predicted call that matches each expected one, or null: each expected call, in order, takes the first unused
 * match. O(expected · predicted · size of the arguments).
 * Source: docs/spec/tools.md, matching.
 * @example matchCalls([{ name: "ping", arguments: {} }], [{ name: "ping", arguments: {} }], options) // [0]
 */
export function matchCalls(
  expected: readonly ExpectedCall[],
  predicted: readonly PredictedCall[],
  rules: MatchRules,
): (number | null)[] {
  const used = new Set<number>();
  return expected.map((call) => {
    const at = predicted.findIndex((one, i) => !used.has(i) && isMatch(call, one, rules));
    if (at < 0) return null;
    used.add(at);
    return at;
  });
}

function isMatch(
  expected: ExpectedCall,
  { name, arguments: given }: PredictedCall,
  rules: MatchRules,
) {
  if (name !== expected.name || given === null) return false;
  const isMet = Object.entries(expected.arguments).every(([key, value]) =>
    isArgumentMet(value, given, key, rules),
  );
  return (
    isMet && (!rules.strictArguments || surplusArguments(expected.arguments, given).length === 0)
  );
}

/**
 * Whether an argument is as expected: present with an equal value, or missing if it is optional.
 * @example isArgumentMet({ any_of: ["NYC", ""] }, {}, "city", options) // true
 */
export function isArgumentMet(
  expected: Json,
  given: JsonObject,
  key: string,
  { textRules }: Pick<MatchRules, "textRules">,
): boolean {
  const equal = textRules === "bfcl" ? new BfclEquality() : specEquality;
  return isMemberMet(expected, given, key, equal);
}

function isMemberMet(expected: Json, given: JsonObject, key: string, rules: Equality): boolean {
  const value = Object.hasOwn(given, key) ? given[key] : undefined;
  return value === undefined ? isOptional(expected, rules) : isEqual(expected, value, rules);
}

/**
 * Names of given arguments that were not expected.
 * @example surplusArguments({ a: 1 }, { a: 1, b: 2 }) // ["b"]
 */
export function surplusArguments(expected: JsonObject, given: JsonObject): string[] {
  return Object.keys(given).filter((key) => !Object.hasOwn(expected, key));
}

/** An empty value among the alternatives means that the argument may be missing. */
function isOptional(expected: Json, rules: Equality): boolean {
  return alternatives(expected)?.some((value) => rules.isLeftOut(value)) ?? false;
}

/** The differences between the rules of the specification and BFCL's. */
interface Equality {
  text(expected: string, value: string): boolean;
  /** Whether a value counts as missing if `""` is accepted. */
  isEmpty(value: Json): boolean;
  /** Whether an accepted value means that the argument may be missing. */
  isLeftOut(accepted: Json): boolean;
  /** The rules within a list or an object. */
  within(value: Json): Equality;
}

const specEquality: Equality = {
  text: (expected, value) => folded(expected) === folded(value),
  /** `[]`, `{}` and null are also empty: an accepted `""` accepts the empty value of any type. */
  isEmpty: (value) =>
    value === null || (typeof value === "object" && Object.keys(value).length === 0),
  isLeftOut: (accepted) => accepted === "" || accepted === null,
  within: () => specEquality,
};

/**
 * BFCL's rules: texts are compared without blanks, `,./-_*^` and case, in a value, in its list or object, and in the
 * objects of its list; deeper texts are compared exactly. Source: BFCL v4, `ast_checker.py`.
 */
class BfclEquality implements Equality {
  readonly #place: "value" | "list" | "object" | "deeper";

  constructor(place: "value" | "list" | "object" | "deeper" = "value") {
    this.#place = place;
  }

  text(expected: string, value: string): boolean {
    return this.#place === "deeper" ? expected === value : plain(expected) === plain(value);
  }

  isEmpty(value: Json): boolean {
    return Array.isArray(value) && value.length === 0;
  }

  isLeftOut(accepted: Json): boolean {
    return accepted === "";
  }

  within(value: Json): Equality {
    const isList = Array.isArray(value);
    if (this.#place === "value") return new BfclEquality(isList ? "list" : "object");
    return new BfclEquality(this.#place === "list" && !isList ? "object" : "deeper");
  }
}

const plain = (text: string): string =>
  text
    .replace(/[ ,./\-_*^]/g, "")
    .toLowerCase()
    .replaceAll("'", '"');

/** Compares only as deep as the expected value, for answers of any depth. */
function isEqual(expected: Json, value: Json, rules: Equality): boolean {
  const any = alternatives(expected);
  if (any !== null) {
    return any.some((one) => (one === "" && rules.isEmpty(value)) || isEqual(one, value, rules));
  }
  if (typeof expected === "string") {
    return typeof value === "string" && rules.text(expected, value);
  }
  const inner = rules.within(expected);
  if (Array.isArray(expected)) {
    return (
      Array.isArray(value) &&
      value.length === expected.length &&
      expected.every((one, i) => isEqual(one, value[i]!, inner))
    );
  }
  if (!isJsonObject(expected)) return expected === value;
  if (!isJsonObject(value)) return false;
  const isMet = Object.entries(expected).every(([key, one]) => isMemberMet(one, value, key, inner));
  return isMet && surplusArguments(expected, value).length === 0;
}

const folded = (text: string) => text.trim().toLowerCase();

/** An expected call and the call made instead of it, if both exist. */
export type CallPair =
  | { how: "matched" | "arguments" | "function"; expected: ExpectedCall; predicted: PredictedCall }
  | { how: "missing"; expected: ExpectedCall; predicted: null }
  | { how: "extra"; expected: null; predicted: PredictedCall };

/**
 * Expected calls in their order, each with the call that matched it, else with a call of the right function and other
 * `arguments`, else with the next call of another `function`; then the remaining calls. `matches` has the predicted
 * call of each expected one. O(expected · predicted).
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
  /** For each expected call the index of the predicted call that matched it. */
  matches: (number | null)[];
}

/**
 * Precision, recall and F1 of calls: matched / predicted, matched / expected, and their harmonic mean; all 1 if no call
 * was expected and none was made. `leftOut` more calls were made than those listed.
 * Source: docs/spec/tools.md, metrics.
 * @example callScore([], [], 0, options).f1 // 1
 */
export function callScore(
  expected: readonly ExpectedCall[],
  calls: readonly PredictedCall[],
  leftOut: number,
  rules: MatchRules,
): CallScore {
  const matches = matchCalls(expected, calls, rules);
  const matched = matches.filter((at) => at !== null).length;
  const counts = { matched, expected: expected.length, predicted: calls.length + leftOut };
  if (counts.expected + counts.predicted === 0) {
    return { ...counts, precision: 1, recall: 1, f1: 1, matches };
  }
  const precision = matched === 0 ? 0 : matched / counts.predicted;
  const recall = matched === 0 ? 0 : matched / counts.expected;
  return { ...counts, precision, recall, f1: f1(precision, recall), matches };
}
