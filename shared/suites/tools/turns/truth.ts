import { isJsonObject, type Json, type JsonObject } from "../../../contracts/json.ts";
import { deepEquals } from "../../../measures/matching/deep-equals.ts";
import type { ExpectedCall } from "../sample-parts.ts";

/**
 * An expected call with the first accepted value of each argument, which produces the expected state.
 * @example likeliestCall({ name: "a", arguments: { n: { any_of: [1, 2] } } }).arguments // { n: 1 }
 */
export function likeliestCall({ name, arguments: its }: ExpectedCall): ExpectedCall {
  return { name, arguments: firstOf(its) as JsonObject };
}

function firstOf(value: Json): Json {
  if (Array.isArray(value)) return value.map(firstOf);
  if (!isJsonObject(value)) return value;
  const { any_of: any } = value;
  if (Array.isArray(any) && Object.keys(value).length === 1) return firstOf(any[0] ?? null);
  const entries = Object.entries(value).flatMap(([key, one]) =>
    isLeftOut(one) ? [] : [[key, firstOf(one)] as const],
  );
  return Object.fromEntries(entries);
}

/** Whether the first accepted value means that the argument is missing. */
function isLeftOut(value: Json): boolean {
  const any = isJsonObject(value) && Object.keys(value).length === 1 ? value["any_of"] : null;
  return Array.isArray(any) && (any[0] === "" || any[0] === null);
}

/**
 * The first key whose value differs from the expected state; null if none does. Unexpected keys are not compared.
 * @example stateFlaw({ n: 1 }, { n: 2, other: 3 }) // "n is 2, not 1"
 */
export function stateFlaw(expected: JsonObject, state: JsonObject): string | null {
  for (const [key, value] of Object.entries(expected)) {
    const its = Object.hasOwn(state, key) ? state[key]! : null;
    if (!deepEquals(value, its)) return `${key} is ${shown(its)}, not ${shown(value)}`;
  }
  return null;
}

const shown = (value: Json): string => {
  const text = JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
};
