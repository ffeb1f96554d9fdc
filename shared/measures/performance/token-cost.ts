import type { Prices } from "../../contracts/submissions/prices.ts";

/**
 * The cost of tokens, USD.
 * @example tokenCostUsd(1_000_000, 500_000, { inputPerMillion: 2, outputPerMillion: 8 }) // 6
 */
export const tokenCostUsd = (inputTokens: number, outputTokens: number, prices: Prices): number =>
  (inputTokens * prices.inputPerMillion + outputTokens * prices.outputPerMillion) / 1e6;
