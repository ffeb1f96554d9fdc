import { describe, expect, it } from "vitest";
import { choiceEValue } from "../../stats/significance/choice-e-value.ts";
import { type Draw, firstFlagged, uniform } from "./__fixtures__/simulated-history.ts";
import { driftEvidence, isDrift, neededOf } from "./drift-evidence.ts";

const histories = 100;

const clamped = (score: number) => Math.min(1, Math.max(0, score));

/** Distributions of scores that do not change over time. */
const models: Record<string, Draw> = {
  "always scores the same": (skill) => skill,
  "passes or fails by chance": (skill, random) => (random() < skill ? 1 : 0),
  "scores around a usual score": (skill, random) => clamped(skill + random() - 0.5),
  "rarely scores differently": (skill, random) => (random() < 0.05 ? random() : skill),
};

describe("driftEvidence() of simulated histories", () => {
  it("has few false alarms across dataset versions, and flags a drop at a new one", () => {
    const draw = models["passes or fails by chance"]!;
    const random = uniform("versions");
    // From the fourth re-run on, a third of the 60 samples is replaced; from the eighth, half.
    const isLeft = (sample: number, rerun: number) =>
      sample >= (rerun < 4 ? 0 : rerun < 8 ? 20 : 30);
    const history = { samples: 60, reruns: 20, draw, isLeft };
    const still = Array.from(
      { length: histories },
      () => firstFlagged(random, history) !== undefined,
    );
    expect(still.filter(Boolean).length / histories).toBeLessThanOrEqual(0.05);
    const skillAt = (skill: number, rerun: number) => (rerun < 4 ? skill : skill * 0.2);
    const first = Array.from({ length: 50 }, () => {
      return firstFlagged(random, { ...history, skillAt }) ?? 0;
    });
    expect(first.filter((rerun) => rerun > 0 && rerun < 4).length).toBeLessThanOrEqual(2);
    expect(first.filter((rerun) => rerun === 4 || rerun === 5).length).toBeGreaterThanOrEqual(40);
  });

  it.each([
    ["always scores the same", 0.05],
    ["scores around a usual score", 0.2],
    ["rarely scores differently", 0.1],
  ])(
    "flags a drop at once if a model that %s drops by %f at the third of ten re-runs",
    (name, drop) => {
      const skillAt = (skill: number, rerun: number) => (rerun < 3 ? skill : clamped(skill - drop));
      const random = uniform("a drop");
      const first: (number | undefined)[] = [];
      for (let i = 0; i < 50; i++) {
        const draw = models[name]!;
        first.push(firstFlagged(random, { samples: 200, reruns: 10, draw, skillAt }));
      }
      expect(first.filter((rerun) => rerun === 3).length).toBeGreaterThanOrEqual(48);
      expect(first.filter((rerun) => rerun !== undefined && rerun < 3)).toEqual([]);
    },
  );

  it("flags a drop that is too small to be flagged at once if it persists", () => {
    const skillAt = (skill: number, rerun: number) => (rerun < 3 ? skill : skill * 0.77);
    const random = uniform("a small drop");
    const draw = models["passes or fails by chance"]!;
    const first = Array.from({ length: 50 }, () => {
      return firstFlagged(random, { samples: 200, reruns: 20, draw, skillAt }) ?? null;
    });
    expect(first.filter((rerun) => rerun === 3).length).toBeLessThan(25);
    expect(first.filter((rerun) => rerun !== null).length).toBeGreaterThanOrEqual(45);
  });
});

describe("driftEvidence()", () => {
  const level = (score: number, samples = 20) => new Float64Array(samples).fill(score);

  it("equals the stake for equal runs, and is 0 for one run and without common samples", () => {
    expect(driftEvidence([level(0.5), level(0.5)])).toBeCloseTo(0.009, 12);
    expect(driftEvidence([level(0.5)])).toBe(0);
    expect(driftEvidence([level(0.5), level(Number.NaN)])).toBe(0);
  });

  it("ignores samples without a score in some run", () => {
    const whole = driftEvidence([level(0.5, 10), level(0.4, 10)]);
    const partly = [level(0.5, 12), level(0.4, 12)];
    partly[0]![3] = Number.NaN;
    partly[1]![7] = Number.NaN;
    expect(driftEvidence(partly)).toBeCloseTo(whole, 12);
  });

  it("counts samples of one source once", () => {
    const runs = [level(0.5), level(0.5), level(0.4)];
    expect(driftEvidence(runs)).toBeGreaterThan(100);
    expect(driftEvidence(runs, new Int32Array(20))).toBeLessThanOrEqual(1);
  });

  it("sums the e-values of the last one, two and three runs, weighted by their stakes", () => {
    const scores = [0.5, 0.5, 0.4, 0.45];
    const units = Array.from({ length: 20 }, () => scores);
    const [one, two, three] = [1, 2, 3].map((since) => choiceEValue(units, since));
    const expected = 0.34 * 0.15 * one! + 0.1 * 0.1 * two! + 0.06 * 0.1 * three!;
    expect(driftEvidence(scores.map((score) => level(score)))).toBeCloseTo(expected, 6);
  });

  it("has stakes that sum to 1 over the first 20 re-evaluations and stay constant afterwards", () => {
    const stakes = Array.from({ length: 20 }, (_, i) =>
      ([1, 2, 3, 5, 8] as const).map((since) => 20 / neededOf(i + 1, since)),
    );
    expect(stakes.flat().reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 12);
    expect(neededOf(1_000, 5)).toBe(neededOf(20, 5));
  });
});

it.each([
  [20, -0.01, true],
  [20, 0.01, true],
  [19.9, -0.5, false],
  [1e9, 0.009, false],
])("isDrift(%f, %f) is %s", (evidence, difference, expected) => {
  expect(isDrift(evidence, difference)).toBe(expected);
});
