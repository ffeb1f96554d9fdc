import { isArgumentMet, type PredictedCall, surplusArguments } from "./match-calls.ts";
import type { ExpectedCall } from "./sample.ts";

/** What can go wrong with a call. */
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

/** One thing that went wrong, with the function that was expected, or else called. */
export interface Failure {
  class: FailureClass;
  function: string;
  argument: string | null;
}

/**
 * What went wrong with the calls that did not match: a call of the right function is told from its
 * arguments, then the rest are paired as wrong functions in order, and what is left is missing or extra.
 * `matches` says which predicted call each expected one took.
 * Source: specification of the tools suite, failures.
 * @example failuresOf([{ name: "ping", arguments: {} }], [], [null], false)[0]?.class // "missingCall"
 */
export function failuresOf(
  expected: readonly ExpectedCall[],
  predicted: readonly PredictedCall[],
  matches: readonly (number | null)[],
  strict: boolean,
): Failure[] {
  const taken = new Set(matches.filter((at) => at !== null));
  const open = predicted.flatMap((call, i) => (taken.has(i) ? [] : [call]));
  const failures: Failure[] = [];
  const unmet: ExpectedCall[] = [];
  expected.forEach((call, i) => {
    if (matches[i] !== null) return;
    const at = open.findIndex(({ name }) => name === call.name);
    if (at < 0) unmet.push(call);
    else failures.push(...argumentFailures(call, open.splice(at, 1)[0]!, strict));
  });
  for (const { name } of unmet) {
    const wrong = open.shift() !== undefined;
    failures.push({
      class: wrong ? "wrongFunction" : "missingCall",
      function: name,
      argument: null,
    });
  }
  const extra = open.map(({ name }) => ({
    ...{ class: "extraCall" as const, function: name, argument: null },
  }));
  return [...failures, ...extra];
}

function argumentFailures(
  { name, arguments: expected }: ExpectedCall,
  { arguments: given }: PredictedCall,
  strict: boolean,
): Failure[] {
  const failure = (kind: FailureClass, argument: string | null): Failure => ({
    ...{ class: kind, function: name, argument },
  });
  if (given === null) return [failure("malformedArguments", null)];
  const unmet = Object.entries(expected).flatMap(([key, value]) => {
    if (isArgumentMet(value, given, key)) return [];
    return [failure(Object.hasOwn(given, key) ? "wrongArgument" : "missingArgument", key)];
  });
  const surplus = strict ? surplusArguments(expected, given) : [];
  return [...unmet, ...surplus.map((key) => failure("surplusArgument", key))];
}
