import type { Answer } from "../answer.ts";
import type { Suite } from "../suite.ts";
import type { SubmittedAnswer } from "./submitted-answer.ts";

/**
 * An answer as a row that submissions take, scored there as it was here: `answerOf` of it gives what was
 * said, times in ms, tokens and the class of an error again. Left out are judgments, since a service asks its
 * own judges, calls that the suite doesn't read, and the words of an error, which may name an endpoint.
 * @example submittableAnswer("a", { ...emptyAnswer, output: "{}" }, extraction) // { id: "a", output: "{}" }
 */
export function submittableAnswer(
  id: string,
  answer: Answer,
  { readsToolCalls }: Pick<Suite, "readsToolCalls">,
): SubmittedAnswer {
  const { latencyMs, error, thoughts, reasoningTokens } = answer;
  if (error !== null) return { id, ...given({ error: error.class, latencyMs }) };
  const { output, toolCalls, finishReason, refusal, inputTokens, outputTokens, source } = answer;
  const { servedModel = null } = answer;
  // Some endpoints say more than 1 of their own answers.
  const confidence = isShare(answer.confidence) ? answer.confidence : null;
  return {
    id,
    output,
    ...given({
      thoughts,
      toolCalls: readsToolCalls ? toolCalls : null,
      finishReason,
      refusal,
      latencyMs,
      inputTokens,
      outputTokens,
      reasoningTokens,
      source,
      confidence,
      servedModel,
    }),
  };
}

const isShare = (value: number | null): boolean => value !== null && value >= 0 && value <= 1;

const given = (fields: Record<string, unknown>): object =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
