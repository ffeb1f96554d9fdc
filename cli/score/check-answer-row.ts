import type { Json } from "#shared/contracts/json.ts";
import type { Result } from "#shared/contracts/result.ts";
import {
  type SubmittedAnswer,
  submittedAnswerSchema,
  unreadToolCalls,
} from "#shared/contracts/submitted-answer.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { badLine } from "../bad-input.ts";
import { firstProblem } from "./first-problem.ts";

const known = Object.keys(submittedAnswerSchema.shape);

/** The row as an answer to `suite`; throws BadInput with the first thing that is wrong with it. */
export function checkAnswerRow(
  file: string,
  line: number,
  row: Result<Json, string>,
  suite: Suite,
): SubmittedAnswer {
  if (!row.ok) throw badLine(file, line, row.error);
  const checked = submittedAnswerSchema.safeParse(row.value);
  if (!checked.success) {
    throw badLine(file, line, firstProblem(checked.error.issues, row.value, known, "the row"));
  }
  const unread = unreadToolCalls(checked.data, suite);
  if (unread !== null) throw badLine(file, line, `/toolCalls: ${unread}`);
  return checked.data;
}
