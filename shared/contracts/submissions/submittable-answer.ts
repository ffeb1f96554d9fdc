import type { Answer } from "../answer.ts";
import type { Suite } from "../suite.ts";
import type { SubmittedAnswer } from "./submitted-answer.ts";

/**
 * Converts an answer to a row for a submission that gets the same score: `answerOf` restores output, times in ms,
 * tokens and error class. Omitted: tool calls that the suite doesn't read; error messages, which may name an endpoint;
 * judgments unless `isJudged`, because a service normally calls its own judges.
 * @example submittableAnswer("a", { ...emptyAnswer, output: "{}" }, extraction) // { id: "a", output: "{}" }
 */
export function submittableAnswer(
  id: string,
  answer: Answer,
  { readsToolCalls }: Pick<Suite, "readsToolCalls">,
  isJudged = false,
): SubmittedAnswer {
  const { latencyMs, error, thoughts, reasoningTokens, cachedTokens, audioTokens } = answer;
  if (error !== null) return { id, ...given({ error: error.class, latencyMs }) };
  const { output, toolCalls, finishReason, refusal, inputTokens, outputTokens, source } = answer;
  const { servedModel = null, rated, turns } = answer;
  // Some endpoints report a confidence above 1.
  const confidence = isShare(answer.confidence) ? answer.confidence : null;
  return {
    id,
    output,
    ...given({
      thoughts,
      toolCalls: readsToolCalls ? toolCalls : null,
      turns: readsToolCalls ? turns : null,
      finishReason,
      refusal,
      latencyMs,
      inputTokens,
      outputTokens,
      reasoningTokens,
      cachedTokens,
      audioTokens,
      source,
      confidence,
      servedModel,
      rated,
      ...(isJudged && { judgments: answer.judgments, stages: answer.stages }),
    }),
  };
}

const isShare = (value: number | null): boolean => value !== null && value >= 0 && value <= 1;

const given = (fields: Record<string, unknown>): object =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
