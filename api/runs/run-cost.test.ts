import { describe, expect, it } from "vitest";
import { costBar, costOf } from "./run-cost.ts";

const aRun = {
  prices: { inputPerMillion: 1, outputPerMillion: 2 },
  inputTokens: 1_000_000,
  outputTokens: 500_000,
  unmetered: 0,
  maxCostUsd: 2 as number | null,
};

describe("costOf()", () => {
  it("has no floating-point noise", () => {
    const prices = { inputPerMillion: 1000, outputPerMillion: 1000 };
    const spent = { ...aRun, prices, inputTokens: 100, outputTokens: 200 };
    expect(costOf(spent)?.spentUsd).toBe(0.3);
  });

  it("has the spent amount and the limit", () => {
    expect(costOf(aRun)).toEqual({ spentUsd: 2, maxUsd: 2 });
    expect(costOf({ ...aRun, maxCostUsd: null })).toEqual({ spentUsd: 2, maxUsd: null });
  });

  it("is null without prices", () => {
    expect(costOf({ ...aRun, prices: null })).toBeNull();
  });
});

describe("costBar()", () => {
  it("quotes spending and limit if the limit is reached", () => {
    expect(costBar(aRun, 2)).toBe(
      'the run has spent 2 USD of its limit of 2 USD: resume with a higher one, such as {"maxCostUsd": 4}, or null for none',
    );
  });

  it.each([
    ["a higher limit", aRun, 2.5],
    ["no limit", aRun, null],
    ["no limit although tokens are not counted", { ...aRun, unmetered: 3 }, null],
  ])("lets a run continue with %s", (_case, run, limit) => {
    expect(costBar(run, limit)).toBeNull();
  });

  it("names missing token counts or prices as the reason", () => {
    expect(costBar({ ...aRun, unmetered: 3 }, 100)).toContain("no token counts for 3 answers");
    expect(costBar({ ...aRun, prices: null }, 100)).toContain("without prices");
  });
});
