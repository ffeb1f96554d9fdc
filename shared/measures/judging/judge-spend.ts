import type { Answer } from "../../contracts/answer.ts";

/** Paid calls of one judge. `unpriced`: judgments whose cost is unknown. */
export interface JudgeCalls {
  requests: number;
  inputTokens: number;
  outputTokens: number;
  usd: number;
  unpriced: number;
}

/** Calls by judge, as `provider:model`. */
export type JudgeSpend = Map<string, JudgeCalls>;

/**
 * Adds the paid calls for an answer: its stages, and its judgments except cached, simulated and submitted ones. Linear
 * in both.
 * @example addJudgeSpend(new Map(), emptyAnswer).size // 0
 */
export function addJudgeSpend(
  spend: JudgeSpend,
  { judgments = {}, stages = {} }: Pick<Answer, "judgments" | "stages">,
) {
  const records = Object.values(judgments)
    .flat()
    .filter(({ isCached, isSimulated }) => !isCached && !isSimulated);
  const calls = Object.values(stages).flatMap((finding) => finding.calls ?? []);
  for (const { provider, judge, requests, inputTokens, outputTokens, costUsd } of [
    ...records,
    ...calls,
  ]) {
    if (requests === 0) continue;
    const name = `${provider ?? "unknown"}:${judge ?? "unknown"}`;
    const before = spend.get(name) ?? none;
    spend.set(name, {
      requests: before.requests + requests,
      inputTokens: before.inputTokens + inputTokens,
      outputTokens: before.outputTokens + outputTokens,
      usd: before.usd + (costUsd ?? 0),
      unpriced: before.unpriced + Number(costUsd === null),
    });
  }
  return spend;
}

/**
 * An answer without the calls of its stages, because they cost nothing when another run reuses them.
 * @example withoutStageCalls({ ...emptyAnswer, stages: { a: finding } }).stages?.["a"]?.calls // undefined
 */
export function withoutStageCalls(answer: Answer): Answer {
  if (answer.stages === undefined) return answer;
  const stages = Object.entries(answer.stages).map(([id, { calls: _, ...finding }]) => [
    id,
    finding,
  ]);
  return { ...answer, stages: Object.fromEntries(stages) };
}

const none: JudgeCalls = { requests: 0, inputTokens: 0, outputTokens: 0, usd: 0, unpriced: 0 };
