import type { ExpectedCall } from "../sample-parts.ts";
import {
  isArgumentMet,
  type MatchRules,
  type PredictedCall,
  pairCalls,
  surplusArguments,
} from "./match-calls.ts";

/** Classes of failed calls. */
export const failureClasses = [
  "wrongFunction",
  "missingCall",
  "extraCall",
  "wrongArgument",
  "missingArgument",
  "surplusArgument",
  "malformedArguments",
] as const;
export type FailureClass = (typeof failureClasses)[number];

/** One failure, with the expected function or else the called function. */
export interface Failure {
  class: FailureClass;
  function: string;
  argument: string | null;
}

/**
 * Classes of the calls that did not match: a call of the right function has wrong arguments, the others are paired in
 * order as wrong functions, and the rest are missing or extra. `matches` has the predicted call of each expected one.
 * Source: docs/spec/tools.md, failures.
 * @example failuresOf([{ name: "ping", arguments: {} }], [], [null], options)[0]?.class // "missingCall"
 */
export function failuresOf(
  expected: readonly ExpectedCall[],
  predicted: readonly PredictedCall[],
  matches: readonly (number | null)[],
  rules: MatchRules,
): Failure[] {
  const pairs = pairCalls(expected, predicted, matches);
  const ofArguments = pairs.flatMap((pair) =>
    pair.how === "arguments" ? argumentFailures(pair.expected, pair.predicted, rules) : [],
  );
  const ofFunctions = pairs.flatMap(({ how, expected: call }): Failure[] => {
    if (how !== "function" && how !== "missing") return [];
    const kind = how === "function" ? "wrongFunction" : "missingCall";
    return [{ class: kind, function: call.name, argument: null }];
  });
  const extra = pairs.flatMap(({ how, predicted: call }): Failure[] =>
    how === "extra" ? [{ class: "extraCall", function: call.name, argument: null }] : [],
  );
  return [...ofArguments, ...ofFunctions, ...extra];
}

/**
 * Failures in the arguments of a call of the right function.
 * @example argumentFailures({ name: "ping", arguments: { n: 1 } }, { name: "ping", arguments: {} }, options)
 */
export function argumentFailures(
  { name, arguments: expected }: ExpectedCall,
  { arguments: given }: PredictedCall,
  rules: MatchRules,
): Failure[] {
  const failure = (kind: FailureClass, argument: string | null): Failure => ({
    class: kind,
    function: name,
    argument,
  });
  if (given === null) return [failure("malformedArguments", null)];
  const unmet = Object.entries(expected).flatMap(([key, value]) => {
    if (isArgumentMet(value, given, key, rules)) return [];
    return [failure(Object.hasOwn(given, key) ? "wrongArgument" : "missingArgument", key)];
  });
  const surplus = rules.strictArguments ? surplusArguments(expected, given) : [];
  return [...unmet, ...surplus.map((key) => failure("surplusArgument", key))];
}
