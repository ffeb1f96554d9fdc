import type { Answer } from "../../contracts/answer.ts";

/**
 * Requests, attempts, retries, waits and tokens of one answer from several calls: sums over the calls. A number that no
 * call has is null, or missing if it is optional. The queue wait is that of the first call.
 * @example joinedCalls([local, cloud]).requests // 2
 */
export function joinedCalls(calls: readonly [Answer, ...Answer[]]) {
  const total = (of: (answer: Answer) => number | null) =>
    calls.reduce((sum, answer) => sum + (of(answer) ?? 0), 0);
  const known = (of: (answer: Answer) => number | null) =>
    calls.every((answer) => of(answer) === null) ? null : total(of);
  const reasoningTokens = known((answer) => answer.reasoningTokens ?? null);
  const cachedTokens = known((answer) => answer.cachedTokens ?? null);
  const audioTokens = known((answer) => answer.audioTokens ?? null);
  return {
    ...(reasoningTokens !== null && { reasoningTokens }),
    ...(cachedTokens !== null && { cachedTokens }),
    ...(audioTokens !== null && { audioTokens }),
    inputTokens: known(({ inputTokens }) => inputTokens),
    outputTokens: known(({ outputTokens }) => outputTokens),
    requests: total(({ requests }) => requests),
    attempts: total(({ attempts }) => attempts),
    retries: total(({ retries }) => retries),
    queueWaitMs: calls[0].queueWaitMs,
    retryWaitMs: known(({ retryWaitMs }) => retryWaitMs),
  };
}
