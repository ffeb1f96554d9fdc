import { isJsonObject, type Json } from "#shared/contracts/json.ts";
import { submittedAnswerSchema } from "#shared/contracts/submissions/submitted-answer.ts";

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
