import { isJsonObject, type Json } from "#shared/contracts/json.ts";
import { submittedAnswerSchema } from "#shared/contracts/submitted-answer.ts";

/** The fields that there are. */
export const answerFields = Object.keys(submittedAnswerSchema.shape);

/**
 * A line of the samples of a run, which has an `outcome`, as the answer it tells of: its scores are left
 * aside, to be worked out anew. Any other row is left as it is.
 * @example answerRow({ id: "a", outcome: "scored", score: 1, output: "{}" }) // { id: "a", output: "{}" }
 */
export function answerRow(row: Json): Json {
  if (!isJsonObject(row) || !("outcome" in row)) return row;
  const { errorClass = null } = row;
  const kept = Object.entries(row).filter(([name]) => answerFields.includes(name));
  return { ...Object.fromEntries(kept), ...(errorClass !== null && { error: errorClass }) };
}
