import { z } from "zod";
import { type Answer, answerSchema } from "../answer.ts";
import type { SampleScore } from "../suite.ts";

/** A stored answer and its score: with the dataset, all that a run's numbers depend on. */
export const wholeAnswerSchema = z.object({
  id: z.string(),
  repeat: z.int().nonnegative(),
  status: z.enum(["scored", "unscored", "not_applicable"]),
  covered: z.boolean(),
  score: z.number().nullable(),
  answer: answerSchema,
});
export type WholeAnswer = z.infer<typeof wholeAnswerSchema>;

/**
 * An answer as a line of `answers.jsonl?whole=true`. Statements contain the hash of these lines, so a stored answer
 * always gives the same line.
 * @example wholeAnswerLine({ id: "a", answer, score }, 0) // '{"id":"a","repeat":0,"status":"scored",…}'
 */
export function wholeAnswerLine(
  { id, answer, score }: { id: string; answer: Answer; score: Omit<SampleScore, "detail"> },
  repeat: number,
): string {
  const { status, covered, score: value } = score;
  return JSON.stringify({ id, repeat, status, covered, score: value, answer });
}
