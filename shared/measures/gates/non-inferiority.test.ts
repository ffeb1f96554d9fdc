import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scored, tableOf } from "../comparison/__fixtures__/table-of.ts";
import { compareMetric } from "../comparison/compare-metric.ts";
import { MOST_LISTED, nonInferiority } from "./non-inferiority.ts";

type Scores = (number | null)[];

/** The outcome of two runs; `first`: the first run of the table. */
function outcome(
  base: Scores,
  tested: Scores,
  more: {
    better?: "higher" | "lower";
    margin?: number;
    minSampleShare?: number;
    first?: "base" | "tested";
  } = {},
) {
  const { better = "higher", margin = 0.1, minSampleShare = 0.95, first = "base" } = more;
  const runs = [scored("base", base), scored("tested", tested)];
  const table = tableOf(first === "base" ? runs : runs.toReversed());
  const metric = { id: "eqs", better };
  const compared = compareMetric(table, metric, "a seed")!;
  const samples = base.length;
  return nonInferiority(table, metric, compared, {
    base: "base",
    tested: "tested",
    margin,
    minSampleShare,
    samples,
  });
}

/** 100 samples, of which only the baseline passes five and only the tested run passes three. */
const passes = (missed: readonly number[]) =>
  Array.from({ length: 100 }, (_, i) => (missed.includes(i) ? 0 : 1));
const before = passes([97, 98, 99]);
const after = passes([0, 1, 2, 3, 4]);

describe("nonInferiority()", () => {
  it("compares the lower end of the interval with the margin", () => {
    // Bonett and Price 2012: (−0.02 · 100) / 102 − 1.959964 · √((10 / 102 − 0.019608²) / 102).
    const low = -2 / 102 - 1.959964 * Math.sqrt((10 / 102 - (2 / 102) ** 2) / 102);
    const { difference, verdict, base, tested } = outcome(before, after, { margin: -low + 1e-6 });
    expect(difference.value).toBeCloseTo(-0.02, 12);
    expect(difference.interval![0]).toBeCloseTo(low, 6);
    expect([base, tested, verdict]).toEqual([0.97, 0.95, "no-worse"]);
    expect(outcome(before, after, { margin: -low - 1e-6 }).verdict).toBe("not-shown");
  });

  it("does not depend on the order of the runs in the comparison", () => {
    const one = outcome(before, after);
    const other = outcome(before, after, { first: "tested" });
    expect(other.difference.value).toBeCloseTo(one.difference.value, 12);
    expect(other.difference.interval![0]).toBeCloseTo(one.difference.interval![0], 12);
    expect({ ...other, difference: null }).toEqual({ ...one, difference: null });
  });

  it("respects the direction of the metric", () => {
    const lower = { better: "lower" as const };
    const down = Array.from({ length: 40 }, (_, i) => 0.5 - (i % 3) / 10);
    const up = down.map((value, i) => value + 0.2 + (i % 2) / 10);
    expect(outcome(down, up).verdict).toBe("no-worse");
    expect(outcome(down, up, lower)).toMatchObject({ verdict: "worse", fell: 40, rose: 0 });
    expect(outcome(up, down)).toMatchObject({ verdict: "worse", fell: 40 });
    expect(outcome(up, down, lower).verdict).toBe("no-worse");
  });

  it("passes with any number of samples if no sample is worse", () => {
    const few = [1, 0.5, 0];
    const same = outcome(few, few, { margin: 0.001 });
    expect(same).toMatchObject({ verdict: "no-worse", fell: 0, rose: 0, worst: [] });
    expect(same.difference.interval![0]).toBeLessThan(-0.001);
    expect(outcome([1, 0, 0, 1], [1, 1, 0, 1], { margin: 0.001 }).verdict).toBe("no-worse");
  });

  it("is not shown for a single sample or for noise", () => {
    expect(outcome([1], [0.5])).toMatchObject({ verdict: "not-shown", samplesNeeded: null });
    const noisy = outcome([1, 0, 1, 0, 1, 0, 0.5, 1], [0, 1, 0.9, 0, 1, 1, 0.5, 0.2]);
    const [low] = noisy.difference.interval!;
    const needed = 8 * ((noisy.difference.value - low) / (noisy.difference.value + 0.1)) ** 2;
    expect(noisy.verdict).toBe("not-shown");
    expect(noisy.samplesNeeded).toBe(noisy.difference.value > -0.1 ? Math.ceil(needed) : null);
  });

  it("requires enough common samples", () => {
    const gaps = before.map((value, i) => (i < 10 ? null : value));
    const fewer = outcome(before, gaps);
    expect(fewer).toMatchObject({ verdict: "too-few-samples", samples: 90, sampleShare: 0.9 });
    expect(outcome(before, gaps, { minSampleShare: 0.9 }).verdict).toBe("no-worse");
  });

  it("lists the samples that fell most, equal ones by id", () => {
    const base = Array(80).fill(1);
    const fallen = base.map((_, i) => (i === 7 ? 0 : i < 70 ? 0.5 : 1));
    const { worst, fell, rose } = outcome(base, fallen);
    expect([worst.length, fell, rose]).toEqual([MOST_LISTED, 70, 0]);
    expect(worst.slice(0, 3)).toEqual([
      { id: "s7", base: 1, tested: 0 },
      { id: "s0", base: 1, tested: 0.5 },
      { id: "s1", base: 1, tested: 0.5 },
    ]);
  });

  it("passes with any larger margin, and never if the run is worse by more than the margin", () => {
    const values = fc.array(
      fc.tuple(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
      ),
      { minLength: 2, maxLength: 30 },
    );
    fc.assert(
      fc.property(values, (pairs) => {
        const [base, tested] = [pairs.map(([a]) => a), pairs.map(([, b]) => b)];
        const verdicts = [0.01, 0.1, 0.5].map((margin) => outcome(base, tested, { margin }));
        const passed = verdicts.map(({ verdict }) => verdict === "no-worse");
        expect(passed).toEqual([...passed].sort((a, b) => Number(a) - Number(b)));
        for (const { verdict, margin, difference } of verdicts) {
          if (difference.value < -margin) expect(verdict).not.toBe("no-worse");
        }
      }),
      { numRuns: 30 },
    );
  });
});
