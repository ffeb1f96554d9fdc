import { describe, expect, it } from "vitest";
import { symmetryEValue } from "./symmetry-e-value.ts";

/** The mean over all sign patterns of the given sizes: the exact expectation under symmetry. */
function expectation(sizes: readonly number[]): number {
  let total = 0;
  for (let signs = 0; signs < 2 ** sizes.length; signs++) {
    total += symmetryEValue(sizes.map((size, i) => (signs & (1 << i) ? size : -size)));
  }
  return total / 2 ** sizes.length;
}

describe("symmetryEValue()", () => {
  it.each([
    [[1]],
    [[0.5, 0.5, 0.5]],
    [[1, 0.01, 0.3, 0, 0.02]],
    [[1, 1e-6, 0.9, 0.2, 0.7, 0.1, 0.33, 0.05]],
    [[0.02, 0.03, 0.01, 0.015, 0.025, 0.04, 0.012, 0.018, 0.02, 0.03]],
  ])("of sizes %j is 1 on average over all their signs", (sizes) => {
    expect(expectation(sizes)).toBeCloseTo(1, 10);
  });

  it("is 1 if nothing differs or there are no differences", () => {
    expect(symmetryEValue([])).toBe(1);
    expect(symmetryEValue([0, 0])).toBe(1);
  });

  it("is the mean wealth of bets of six strengths in both directions", () => {
    const bets = [1, 2, 3, 4, 6, 8].flatMap((c) => [c, -c]);
    const wealth = (stake: number) => (1 + Math.tanh(stake * 0.3)) * (1 + Math.tanh(stake * 0.4));
    const expected = bets.map((c) => wealth(c / 0.5)).reduce((a, b) => a + b) / bets.length;
    expect(symmetryEValue([0.3, 0.4])).toBeCloseTo(expected, 12);
  });

  it("does not depend on order, direction or unit", () => {
    const value = symmetryEValue([0.1, 0.2, -0.05, 0.4]);
    expect(symmetryEValue([0.4, -0.05, 0.2, 0.1])).toBeCloseTo(value, 12);
    expect(symmetryEValue([-0.1, -0.2, 0.05, -0.4])).toBeCloseTo(value, 12);
    expect(symmetryEValue([10, 20, -5, 40])).toBeCloseTo(value, 12);
  });

  it("grows with the evidence for a change, up to 2^(number of signs)", () => {
    expect(symmetryEValue([0.1, -0.1, 0.1, -0.1])).toBeLessThan(1);
    expect(symmetryEValue([0.1, 0.1, 0.1, 0.1])).toBeLessThanOrEqual(16);
    expect(symmetryEValue(Array(30).fill(0.1))).toBeGreaterThan(10_000);
    expect(symmetryEValue(Array(100_000).fill(1))).toBe(1e9);
  });
});
