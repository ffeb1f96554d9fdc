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
 * Adds the judgments of an answer that were requested for it: not those from the cache, of simulated judges, or
 * submitted. Linear in the judgments.
 * @example addJudgeSpend(new Map(), emptyAnswer).size // 0
 */
export function addJudgeSpend(spend: JudgeSpend, { judgments = {} }: Pick<Answer, "judgments">) {
  for (const record of Object.values(judgments).flat()) {
    const { provider, judge, requests, inputTokens, outputTokens, costUsd } = record;
    if (record.isCached || record.isSimulated || requests === 0) continue;
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

const none: JudgeCalls = { requests: 0, inputTokens: 0, outputTokens: 0, usd: 0, unpriced: 0 };
