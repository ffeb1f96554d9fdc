import type { Json } from "#shared/contracts/json.ts";
import type { Result } from "#shared/contracts/result.ts";
import {
  type SubmittedAnswer,
  submittedAnswerSchema,
  unreadJudgments,
  unreadToolCalls,
} from "#shared/contracts/submitted-answer.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { badLine } from "../bad-input.ts";
import { answerFields, answerRow } from "./answer-row.ts";
import { firstProblem } from "./first-problem.ts";

/** The row as an answer to `suite`; throws BadInput with the first thing that is wrong with it. */
export function checkAnswerRow(
  file: string,
  line: number,
  row: Result<Json, string>,
  suite: Suite,
): SubmittedAnswer {
  if (!row.ok) throw badLine(file, line, row.error);
  const given = answerRow(row.value);
  const checked = submittedAnswerSchema.safeParse(given);
  if (!checked.success) {
    throw badLine(file, line, firstProblem(checked.error.issues, given, answerFields, "the row"));
  }
  const unread = unreadToolCalls(checked.data, suite);
  if (unread !== null) throw badLine(file, line, `/toolCalls: ${unread}`);
  const judgments = unreadJudgments(checked.data, suite);
  if (judgments !== null) {
    throw badLine(file, line, `${judgments.pointer}: ${judgments.detail}`);
  }
  return checked.data;
}
