import { isJsonObject, type Json, type JsonObject } from "../../shared/contracts/json.ts";
import type { ExpectedCall } from "../../shared/suites/tools/sample-parts.ts";
import type { Completion } from "../chat-response.ts";
import type { Draws } from "../draws.ts";
import { generateValue } from "../schemas/generate-value.ts";
import { type Mistakes, makesMistake, scaleRates } from "./mistakes.ts";
import { perturbValue } from "./perturb-value.ts";

/** A call in the wire format: its arguments are text. */
export type WrittenCall = Completion["toolCalls"][number];

/** A function that can be called. */
export interface CallableFunction {
  name: string;
  /** JSON Schema of its arguments. */
  parameters: Json;
}

/** Arguments are mostly copied from the latest message, so fewer are wrong than fields of a long text. */
const argumentShare = 0.5;

/**
 * The `expected` calls as a model of the given error rates would make them: some missing, some with another function or
 * with wrong or missing arguments, some truncated, and additional ones. Its mistakes are added to `mistakes.made`.
 * `mistakes.text` is the conversation.
 */
export function perturbCalls(
  expected: readonly ExpectedCall[],
  functions: readonly CallableFunction[],
  mistakes: Mistakes,
): WrittenCall[] {
  const calls: WrittenCall[] = [];
  const argumentMistakes = { ...mistakes, rates: scaleRates(mistakes.rates, argumentShare) };
  for (const { name, arguments: accepted } of expected) {
    if (makesMistake(mistakes, "missed_call")) continue;
    const others = functions.filter((other) => other.name !== name);
    if (others.length > 0 && makesMistake(mistakes, "wrong_function")) {
      calls.push(inventedCall(mistakes.draws.pick(others), mistakes));
      continue;
    }
    const parameters = functions.find((one) => one.name === name)?.parameters ?? {};
    const values = (pickAccepted(accepted, mistakes.draws) ?? {}) as JsonObject;
    const inArguments = { ...argumentMistakes, root: parameters };
    const text = JSON.stringify(perturbValue(values, parameters, inArguments));
    calls.push({
      name,
      arguments: makesMistake(mistakes, "malformed_arguments") ? brokenOff(text) : text,
    });
  }
  const surplus = expected.length === 0 ? "needless_call" : "extra_call";
  if (functions.length > 0 && makesMistake(mistakes, surplus)) {
    calls.push(inventedCall(mistakes.draws.pick(functions), mistakes));
  }
  return calls;
}

/** A call of `name` with arguments of the right types and words of the conversation. */
export function inventedCall(
  { name, parameters: root }: CallableFunction,
  { text, draws }: Pick<Mistakes, "text" | "draws">,
): WrittenCall {
  return { name, arguments: JSON.stringify(generateValue({ root, text, draws }, root)) };
}

/** A text of an object without its end is always invalid. */
const brokenOff = (text: string) => text.slice(0, Math.max(1, Math.floor(text.length * 0.7)));

/** Probability of another accepted value than the first. */
const otherRate = 0.25;

/**
 * An accepted value for `expected`, whose parts may be `{"any_of": […]}`: the first, or randomly another. Undefined
 * (omit the argument) for `""` and null.
 */
export function pickAccepted(expected: Json, draws: Draws): Json | undefined {
  const any = isJsonObject(expected) ? expected.any_of : undefined;
  if (Array.isArray(any)) {
    const [first = null, ...others] = any;
    const picked = others.length > 0 && draws.chance(otherRate) ? draws.pick(others) : first;
    return picked === "" || picked === null ? undefined : pickAccepted(picked, draws);
  }
  if (Array.isArray(expected)) return expected.map((one) => pickAccepted(one, draws) ?? null);
  if (!isJsonObject(expected)) return expected;
  const entries = Object.entries(expected).flatMap(([key, one]) => {
    const value = pickAccepted(one, draws);
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(entries);
}
