import type { Json } from "#shared/contracts/json.ts";
import type { Result } from "#shared/contracts/result.ts";
import { type SubmittedAnswer, submittedAnswerSchema } from "#shared/contracts/submitted-answer.ts";
import { badLine } from "../bad-input.ts";
import { firstProblem } from "./first-problem.ts";

const known = Object.keys(submittedAnswerSchema.shape);

/** The row as an answer; throws BadInput with the first thing that is wrong with it. */
export function checkAnswerRow(
  file: string,
  line: number,
  row: Result<Json, string>,
): SubmittedAnswer {
  if (!row.ok) throw badLine(file, line, row.error);
  const checked = submittedAnswerSchema.safeParse(row.value);
  if (checked.success) return checked.data;
  throw badLine(file, line, firstProblem(checked.error.issues, row.value, known, "the row"));
}
