import { describe, expect, it } from "vitest";
import type { MetricComparison } from "../../contracts/boards/comparison.ts";
import { detectableDifference } from "../../stats/significance/power.ts";
import { marginTests, readMargins } from "./margin-tests.ts";

/** A comparison on 100 samples with one pair of runs for each mean difference and standard deviation. */
const compared = (
  differences: readonly [mean: number, sd: number][],
  better: "higher" | "lower" = "higher",
  count = 100,
) =>
  ({
    better,
    units: { kind: "samples", count },
    pairs: differences.map(([value, sd], i) => ({
      a: `a${i}`,
      b: `b${i}`,
      t: sd === 0 ? null : (value * Math.sqrt(count)) / sd,
      difference: { value, interval: null },
      detectableDifference: detectableDifference(sd, count),
    })),
  }) as unknown as MetricComparison;

const verdictOf = (...given: Parameters<typeof compared>) =>
  marginTests(compared(...given), 0.02).pairs[0]?.verdict;

describe("marginTests()", () => {
  it("shows equivalence by two one-sided tests", () => {
    const [pair] = marginTests(compared([[0.005, 0.05]]), 0.02).pairs;
    // SciPy: t.cdf(-(0.005 + 0.02) / 0.005, 99), t.cdf((0.005 - 0.02) / 0.005, 99).
    expect(pair?.aNoWorse).toBeCloseTo(2 * 1.2407e-6, 9);
    expect(pair?.same).toBeCloseTo(0.001709, 5);
    expect(pair?.verdict).toBe("same");
  });

  it("does not infer equivalence from a zero difference with a large spread", () => {
    expect(verdictOf([[0, 0.5]])).toBe("not-shown");
  });

  it("shows which run is no worse, in the metric's direction", () => {
    expect(verdictOf([[0.03, 0.1]])).toBe("a-no-worse");
    expect(verdictOf([[-0.03, 0.1]])).toBe("b-no-worse");
    expect(verdictOf([[0.03, 0.1]], "lower")).toBe("b-no-worse");
  });

  it("corrects p-values over all pairs", () => {
    const alone = marginTests(compared([[0, 0.09]]), 0.02).pairs[0]!;
    const five = marginTests(compared(Array(5).fill([0, 0.09])), 0.02).pairs[0]!;
    expect(alone.verdict).toBe("same");
    expect(five.same).toBeCloseTo(5 * alone.same!, 10);
    expect(five.verdict).not.toBe("same");
  });

  it("has fewer degrees of freedom if sources differ in size", () => {
    const eight = compared([[0, 0.03]], "higher", 8);
    const units = { kind: "clusters" as const, count: 8, effective: 3 };
    const [equal, unequal] = [eight, { ...eight, units }].map(
      (one) => marginTests(one, 0.05).pairs[0]!.same!,
    );
    expect(unequal).toBeGreaterThan(equal!);
    // SciPy: t.cdf(-0.05 / (0.03 / sqrt(8)), 2).
    expect(unequal).toBeCloseTo(0.02108686, 7);
  });

  it("makes no tests if the difference does not vary", () => {
    expect(marginTests(compared([[0.01, 0]]), 0.02).pairs[0]).toMatchObject({
      aNoWorse: null,
      same: null,
      verdict: "not-shown",
    });
  });
});

describe("readMargins()", () => {
  it("reads margins by metric", () => {
    expect(readMargins("eqs:0.02, validity=0.05")).toEqual({
      ok: true,
      value: new Map([
        ["eqs", 0.02],
        ["validity", 0.05],
      ]),
    });
  });

  it.each([
    "",
    "eqs",
    "eqs:",
    ":0.1",
    "eqs:0",
    "eqs:-1",
    "eqs:x",
    "eqs:1:2",
    "eqs:1e9",
    "eqs:0.1,",
    "eqs:0.02,eqs:0.05",
  ])("refuses %j", (text) => {
    expect(readMargins(text)).toMatchObject({
      ok: false,
      error: expect.stringContaining("such as eqs:0.02"),
    });
  });
});
