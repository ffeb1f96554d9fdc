import { describe, expect, it } from "vitest";
import { choiceEValue } from "../../stats/significance/choice-e-value.ts";
import { type Draw, flaggedReruns, uniform } from "./__fixtures__/simulated-history.ts";
import { stepEValue } from "./step-e-value.ts";

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
      () => flaggedReruns(random, history).length > 0,
    );
    expect(still.filter(Boolean).length / histories).toBeLessThanOrEqual(0.05);
    const skillAt = (skill: number, rerun: number) => (rerun < 4 ? skill : skill * 0.2);
    const first = Array.from({ length: 50 }, () => {
      return flaggedReruns(random, { ...history, skillAt })[0] ?? 0;
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
        first.push(flaggedReruns(random, { samples: 200, reruns: 10, draw, skillAt })[0]);
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
      return flaggedReruns(random, { samples: 200, reruns: 20, draw, skillAt })[0] ?? null;
    });
    expect(first.filter((rerun) => rerun === 3).length).toBeLessThan(25);
    expect(first.filter((rerun) => rerun !== null).length).toBeGreaterThanOrEqual(45);
  });
});

describe("stepEValue()", () => {
  const level = (score: number, samples = 20) => new Float64Array(samples).fill(score);

  it("is 1 for one run, for equal runs, and without common samples", () => {
    expect(stepEValue([level(0.5)])).toBe(1);
    expect(stepEValue([level(0.5), level(0.5)])).toBe(1);
    expect(stepEValue([level(0.5), level(Number.NaN)])).toBe(1);
  });

  it("ignores samples that one of the runs lacks", () => {
    const whole = stepEValue([level(0.5, 10), level(0.4, 10)]);
    const partly = [level(0.5, 12), level(0.4, 12)];
    partly[0]![3] = Number.NaN;
    partly[1]![7] = Number.NaN;
    expect(stepEValue(partly)).toBeCloseTo(whole, 12);
  });

  it("counts samples of one source once", () => {
    const runs = [level(0.5), level(0.4)];
    const oneSource = stepEValue(runs, new Int32Array(20));
    expect(stepEValue(runs)).toBeGreaterThan(1_000);
    expect(oneSource).toBeLessThanOrEqual(2);
  });

  it("is the mean of the e-values of the last one, two and three runs, by their stakes", () => {
    const runs = [level(0.5), level(0.5), level(0.4), level(0.45)];
    const units = Array.from({ length: 20 }, () => runs.map(([score]) => score!));
    const [one, two, three] = [1, 2, 3].map((since) => choiceEValue(units, since));
    const expected = (0.15 * one! + 0.15 * two! + 0.2 * three!) / 0.5;
    expect(stepEValue(runs)).toBeCloseTo(expected, 6);
  });
});
