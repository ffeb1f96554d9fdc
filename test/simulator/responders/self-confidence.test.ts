import { describe, expect, it } from "vitest";
import { drawsFrom } from "../../../simulator/draws.ts";
import { mistakeRates } from "../../../simulator/mistakes/mistakes.ts";
import { selfConfidence, skillMeter } from "../../../simulator/responders/tools.ts";

describe("selfConfidence()", () => {
  it.each([0.3, 0.6, 0.95])(
    "is calibrated at skill %f: about a share c of answers with confidence c is right",
    (skill) => {
      const draws = drawsFrom("answers", skill);
      const answers = Array.from({ length: 20_000 }, () => {
        const right = draws.chance(skill);
        return { right, confidence: selfConfidence(right, skill, draws) };
      });
      const byTenth = Map.groupBy(answers, ({ confidence }) => Math.floor(10 * confidence));
      for (const bin of byTenth.values()) {
        if (bin.length < 300) continue;
        const mean = bin.reduce((sum, { confidence }) => sum + confidence, 0) / bin.length;
        const share = bin.filter(({ right }) => right).length / bin.length;
        expect(Math.abs(mean - share)).toBeLessThan(0.06);
      }
    },
  );

  it("is higher for right answers", () => {
    const mean = (right: boolean) => {
      const draws = drawsFrom(1);
      const all = Array.from({ length: 500 }, () => selfConfidence(right, 0.6, draws));
      return all.reduce((sum, one) => sum + one, 0) / all.length;
    };
    expect(mean(true)).toBeGreaterThan(mean(false) + 0.4);
  });
});

describe("skillMeter()", () => {
  it("measures how often a model is right, once per sample", () => {
    const skillOf = skillMeter();
    const play = { rates: mistakeRates(0.1), draws: drawsFrom(1) };
    let asked = 0;
    const isRight = ({ draws }: typeof play) => {
      asked += 1;
      return draws.chance(0.75);
    };
    const skill = skillOf("a", play, isRight);
    expect(skill).toBeGreaterThan(0.5);
    expect(skill).toBeLessThan(0.95);
    const before = asked;
    expect([skillOf("a", play, isRight), asked]).toEqual([skill, before]);
    skillOf("b", play, isRight);
    expect(asked).toBe(2 * before);
  });

  it("stays between 0 and 1", () => {
    const play = { rates: mistakeRates(0.1), draws: drawsFrom(1) };
    const skills = [true, false].map((right) => skillMeter()("a", play, () => right));
    expect(Math.min(...skills)).toBeGreaterThan(0);
    expect(Math.max(...skills)).toBeLessThan(1);
  });
});
