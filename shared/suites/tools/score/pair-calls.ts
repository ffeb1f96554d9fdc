import type { ExpectedCall } from "../sample.ts";
import type { PredictedCall } from "./match-calls.ts";

/** An expected call and the one that was made in its place, as far as there are both. */
export type CallPair =
  | { how: "matched" | "arguments" | "function"; expected: ExpectedCall; predicted: PredictedCall }
  | { how: "missing"; expected: ExpectedCall; predicted: null }
  | { how: "extra"; expected: null; predicted: PredictedCall };

/**
 * Expected calls in their order, each with the call that met it, else with one of the right function and other
 * `arguments`, else with what was called instead of its `function`, in order; then calls that are left over.
 * `matches` says which predicted call each expected one took. O(expected · predicted).
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
