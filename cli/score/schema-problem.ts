import type { z } from "zod";
import { fieldErrors } from "#shared/contracts/field-errors.ts";
import { isJsonObject, type Json } from "#shared/contracts/json.ts";
import { submittedAnswerSchema } from "#shared/contracts/submissions/submitted-answer.ts";
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

/** All fields of an answer. */
export const answerFields = Object.keys(submittedAnswerSchema.shape);

/**
 * Converts a line of a run's samples, which has an `outcome`, to an answer without scores,
 * to be scored again. Any other row is unchanged.
 * @example answerRow({ id: "a", outcome: "scored", score: 1, output: "{}" }) // { id: "a", output: "{}" }
 */
export function answerRow(row: Json): Json {
  if (!isJsonObject(row) || !("outcome" in row)) return row;
  const { errorClass = null } = row;
  const kept = Object.entries(row).filter(([name]) => answerFields.includes(name));
  return { ...Object.fromEntries(kept), ...(errorClass !== null && { error: errorClass }) };
}
