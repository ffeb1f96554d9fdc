import type { Prices } from "../../contracts/submissions/prices.ts";

/** Tokens included in input or output that may have separate prices. */
interface PricedApart {
  cached: number;
  audio: number;
  reasoning: number;
}

/**
 * The cost of tokens, USD. Cached, audio and reasoning tokens have separate prices if there are any.
 * @example tokenCostUsd(1_000_000, 500_000, { inputPerMillion: 2, outputPerMillion: 8 }) // 6
 */
export function tokenCostUsd(
  inputTokens: number,
  outputTokens: number,
  prices: Prices,
  { cached, audio, reasoning }: PricedApart = { cached: 0, audio: 0, reasoning: 0 },
): number {
  const { inputPerMillion, outputPerMillion } = prices;
  const { cachedPerMillion = inputPerMillion, reasoningPerMillion = outputPerMillion } = prices;
  const { audioPerMillion = inputPerMillion } = prices;
  const input =
    inputTokens * inputPerMillion +
    cached * (cachedPerMillion - inputPerMillion) +
    audio * (audioPerMillion - inputPerMillion);
  const output =
    outputTokens * outputPerMillion + reasoning * (reasoningPerMillion - outputPerMillion);
  return (input + output) / 1e6;
}

/**
 * Prices times a factor ≥ 0.
 * @example scaledPrices({ inputPerMillion: 2, outputPerMillion: 8 }, 0.5).outputPerMillion // 4
 */
export const scaledPrices = (prices: Prices, factor: number): Prices =>
  Object.fromEntries(
    Object.entries(prices as Record<string, number>).map(([name, usd]) => [name, usd * factor]),
  ) as unknown as Prices;

/**
 * Prices as text, including the separate ones.
 * @example pricesText({ inputPerMillion: 2, outputPerMillion: 8 }) // "$2 input, $8 output per million tokens"
 */
export function pricesText(prices: Prices): string {
  const named = Object.entries(prices).map(
    ([id, usd]) => `$${usd} ${id.replace("PerMillion", "")}`,
  );
  return `${named.join(", ")} per million tokens`;
}
