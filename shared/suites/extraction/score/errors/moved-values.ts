import { identical, type MatchRules } from "../composite.ts";
import { fieldText } from "../fields/field-text.ts";
import type { FieldNode } from "../fields/flatten.ts";
import type { FieldError } from "./error-pattern.ts";

/** Numbers are looked up by multiples of what two identical ones may differ by. */
const numberStep = 1e-6;

/**
 * The fields that make up values found at the wrong place: a missed field and a spurious one of the
 * same last name with an identical value, each missed one with the first spurious one not yet used.
 * What stands where another shape was expected is no such spurious field, nor is a placeholder when
 * `isFree` says so. Linear but for many unlike arrays of one name and length.
 * Source: docs/spec/extraction.md, section 8, `wrong_nesting`.
 * @example movedValues(errors, rules).size // 2 for each value that moved
 */
export function movedValues(
  errors: readonly FieldError[],
  isFree: (error: FieldError) => boolean,
  rules: MatchRules,
): Set<FieldError> {
  const moved = new Set<FieldError>();
  const spurious = new Map<string, FieldError[]>();
  for (const error of errors) {
    if (error.expected !== null || !isFree(error)) continue;
    const key = keyOf(error, error.predicted!, rules, 0);
    const known = spurious.get(key);
    if (known === undefined) spurious.set(key, [error]);
    else known.push(error);
  }
  if (spurious.size === 0) return moved;
  for (const error of errors) {
    if (error.predicted !== null) continue;
    const other = takeSame(error, spurious, rules);
    if (other !== undefined) moved.add(error).add(other);
  }
  return moved;
}

function takeSame(
  missed: FieldError,
  spurious: Map<string, FieldError[]>,
  rules: MatchRules,
): FieldError | undefined {
  const expected = missed.expected!;
  for (const step of expected.type === "number" ? [0, -1, 1] : [0]) {
    const found = spurious.get(keyOf(missed, expected, rules, step)) ?? [];
    const at = found.findIndex(({ predicted }) => identical(expected, predicted!, rules));
    if (at >= 0) return found.splice(at, 1)[0];
  }
  return undefined;
}

/** The same for identical values of one name; for numbers with `step` −1, 0 or 1. */
function keyOf({ place }: FieldError, node: FieldNode, rules: MatchRules, step: number): string {
  return JSON.stringify([place.name, node.type, valueKey(node, rules, step)]);
}

function valueKey(node: FieldNode, rules: MatchRules, step: number): string | number {
  switch (node.type) {
    case "string":
      return fieldText(node, rules).normal;
    case "number":
      return Math.floor((node.value as number) / numberStep) + step;
    case "array":
      return (node.value as unknown[]).length;
    default:
      return String(node.value);
  }
}
