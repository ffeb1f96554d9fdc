import type { z } from "zod";
import { fieldErrors } from "#shared/contracts/field-errors.ts";
import { suggestion } from "#shared/contracts/text/suggestion.ts";

/**
 * The first problem that zod found in `value`, for a terminal; `known`: the fields of the schema;
 * `whole`: the name of the value.
 * @example schemaProblem(issues, row, ["latencyMs"], "the row") // '/latencyMs: must be a number, not "fast"'
 */
export function schemaProblem(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  known: readonly string[],
  whole: string,
): string {
  const [issue] = issues;
  if (issue?.code === "unrecognized_keys" && issue.path.length === 0) {
    const [key = ""] = issue.keys;
    const hint = suggestion(key, known) || `; there is ${known.join(", ")}`;
    return `${whole}: unknown field ${JSON.stringify(key)}${hint}`;
  }
  const [first] = fieldErrors(issues, value);
  return `${first?.pointer || whole}: ${first?.detail}`;
}
