import { expect, it } from "vitest";
import { pricesText, tokenCostUsd } from "./token-cost.ts";

it("tokenCostUsd() matches a vendor's price list", () => {
  expect(tokenCostUsd(1000, 500, { inputPerMillion: 2.5, outputPerMillion: 10 })).toBe(0.0075);
});

it("tokenCostUsd() uses separate prices for cached, audio and reasoning tokens if there are any", () => {
  const prices = { inputPerMillion: 2, outputPerMillion: 8 };
  const apart = { cached: 400_000, audio: 100_000, reasoning: 250_000 };
  expect(tokenCostUsd(1_000_000, 500_000, prices, apart)).toBe(6);
  const own = { ...prices, cachedPerMillion: 0.5, audioPerMillion: 32, reasoningPerMillion: 4 };
  // Input: 0.5 M at 2, 0.4 M at 0.5, 0.1 M at 32. Output: 0.25 M at 8, 0.25 M at 4.
  expect(tokenCostUsd(1_000_000, 500_000, own, apart)).toBeCloseTo(1 + 0.2 + 3.2 + 2 + 1, 12);
});

it("pricesText() contains every price", () => {
  const prices = { inputPerMillion: 2, outputPerMillion: 8 };
  expect(pricesText(prices)).toBe("$2 input, $8 output per million tokens");
  expect(pricesText({ ...prices, cachedPerMillion: 0.5, reasoningPerMillion: 4 })).toBe(
    "$2 input, $8 output, $0.5 cached, $4 reasoning per million tokens",
  );
});
