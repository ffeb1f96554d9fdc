import { pointerOf } from "#shared/contracts/field-errors.ts";
import { isJsonObject } from "#shared/contracts/json.ts";
import type { Difference } from "./check.ts";

/**
 * Where two JSON values differ, by JSON pointer; `null` of a member that one of them lacks.
 * @example deepDifferences({ a: [1] }, { a: [2] }) // [{ what: "/a/0", signed: 1, found: 2 }]
 */
export function deepDifferences(
  signed: unknown,
  found: unknown,
  path: readonly string[] = [],
): Difference[] {
  if (areBoth(isJsonObject, signed, found) || areBoth(Array.isArray, signed, found)) {
    const [a, b] = [signed, found] as Record<string, unknown>[];
    const names = new Set([...Object.keys(a!), ...Object.keys(b!)]);
    return [...names].flatMap((name) => deepDifferences(a![name], b![name], [...path, name]));
  }
  if (Object.is(signed, found)) return [];
  return [{ what: pointerOf(path), signed: signed ?? null, found: found ?? null }];
}

const areBoth = (is: (value: unknown) => boolean, a: unknown, b: unknown): boolean =>
  is(a) && is(b);
