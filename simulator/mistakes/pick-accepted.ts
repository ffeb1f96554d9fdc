import { isJsonObject, type Json } from "../../shared/contracts/json.ts";
import type { Draws } from "../draws.ts";

/** How often another than the first accepted value is given. */
const otherRate = 0.25;

/**
 * A value that is accepted where `expected` is, whose parts may be `{"any_of": […]}`: the first, or by
 * chance another. Undefined: left out, which `""` and null stand for.
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
