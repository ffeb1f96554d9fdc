import type { Prices } from "./prices.ts";

/**
 * Prices times a factor ≥ 0.
 * @example scaledPrices({ inputPerMillion: 2, outputPerMillion: 8 }, 0.5).outputPerMillion // 4
 */
export const scaledPrices = (prices: Prices, factor: number): Prices =>
  Object.fromEntries(
    Object.entries(prices as Record<string, number>).map(([name, usd]) => [name, usd * factor]),
  ) as unknown as Prices;
