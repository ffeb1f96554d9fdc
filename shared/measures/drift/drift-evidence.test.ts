import { describe, expect, it } from "vitest";
import { choiceEValue } from "../../stats/significance/choice-e-value.ts";
import { type Draw, firstFlagged, uniform } from "./__fixtures__/simulated-history.ts";
import { driftEvidence, isDrift, neededOf } from "./drift-evidence.ts";

const histories = 100;

const clamped = (score: number) => Math.min(1, Math.max(0, score));

/** Score models without a change over time. */
const models: Record<string, Draw> = {
  "always says the same": (skill) => skill,
  "is right or wrong by chance": (skill, random) => (random() < skill ? 1 : 0),
  "scores around what it scores as a rule": (skill, random) => clamped(skill + random() - 0.5),
  "rarely says something else": (skill, random) => (random() < 0.05 ? random() : skill),
};

describe("evidence of drift", () => {
  it("continues over new versions of a dataset: few false alarms, and a drop at a new version is flagged", () => {
    const draw = models["is right or wrong by chance"]!;
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
    ["always says the same", 0.05],
    ["scores around what it scores as a rule", 0.2],
    ["rarely says something else", 0.1],
  ])(
    "of a model that %s: a drop of %f from the third of ten re-runs on is flagged there",
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

  it("a drop too small to be flagged at once is flagged if it stays", () => {
    const skillAt = (skill: number, rerun: number) => (rerun < 3 ? skill : skill * 0.77);
    const random = uniform("a small drop");
    const draw = models["is right or wrong by chance"]!;
    const first = Array.from({ length: 50 }, () => {
      return firstFlagged(random, { samples: 200, reruns: 20, draw, skillAt }) ?? null;
    });
    expect(first.filter((rerun) => rerun === 3).length).toBeLessThan(25);
    expect(first.filter((rerun) => rerun !== null).length).toBeGreaterThanOrEqual(45);
  });
});

describe("driftEvidence()", () => {
  const level = (score: number, samples = 20) => new Float64Array(samples).fill(score);

  it("is the stake if all runs are equal, and 0 for one run and without common samples", () => {
    expect(driftEvidence([level(0.5), level(0.5)])).toBeCloseTo(0.009, 12);
    expect(driftEvidence([level(0.5)])).toBe(0);
    expect(driftEvidence([level(0.5), level(Number.NaN)])).toBe(0);
  });

  it("ignores samples that one of the runs lacks", () => {
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

  it("adds the e-values of the last one, two and three runs, by the stake on each", () => {
    const scores = [0.5, 0.5, 0.4, 0.45];
    const units = Array.from({ length: 20 }, () => scores);
    const [one, two, three] = [1, 2, 3].map((since) => choiceEValue(units, since));
    const expected = 0.34 * 0.15 * one! + 0.1 * 0.1 * two! + 0.06 * 0.1 * three!;
    expect(driftEvidence(scores.map((score) => level(score)))).toBeCloseTo(expected, 6);
  });

  it("stakes 1 in all on the first 20 re-evaluations, and as much on any later one as on the last of them", () => {
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
