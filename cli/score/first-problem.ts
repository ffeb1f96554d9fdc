import type { z } from "zod";
import { fieldErrors } from "#shared/contracts/field-errors.ts";
import { suggestion } from "../suggestion.ts";

/**
 * The first thing that zod found wrong with `value`, for a terminal; `known` are the fields that there
 * are, and `whole` is what the value is called.
 * @example firstProblem(issues, row, ["latencyMs"], "the row") // '/latencyMs: must be a number, not "fast"'
 */
export function firstProblem(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  known: readonly string[],
  whole: string,
): string {
  const [issue] = issues;
  if (issue?.code === "unrecognized_keys" && issue.path.length === 0) {
    const [key = ""] = issue.keys;
    const hint = suggestion(key, known) || `; there is ${known.join(", ")}`;
    return `${whole}: there is no field ${JSON.stringify(key)}${hint}`;
  }
  const [first] = fieldErrors(issues, value);
  return `${first?.pointer || whole}: ${first?.detail}`;
}
