import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scales } from "../../../contracts/judging/judge.ts";
import { judges } from "../../../judges/judges.ts";
import { defaultWeights, memoryCitationScore } from "./mcs.ts";

const needed = { memory_utilization: 1, groundedness: 0.5, safety: 1 };
const others = { relevance: 1, empathy: 3 };
const part = 0.3 + 0.25 * 0.5 + 0.15;

describe("memoryCitationScore()", () => {
  it.each<[string, Record<string, number | null>, number]>([
    ["all parts judged", { ...needed, ...others, helpfulness: 3 }, part + 0.1 * 0.5 + 0.2 * 0.75],
    ["no helpfulness", { ...needed, ...others, helpfulness: null }, (part + 0.2 * 0.75) / 0.9],
    ["the other eight unjudged", { ...needed, helpfulness: 3 }, (part + 0.05) / 0.8],
    ["only the required metrics judged", needed, part / 0.7],
  ])("with %s", (_, values, wanted) => {
    expect(memoryCitationScore(values)).toBeCloseTo(wanted, 12);
  });

  it.each(Object.keys(needed))("is null without %s", (name) => {
    expect(memoryCitationScore({ ...needed, ...others, [name]: null })).toBeNull();
  });

  it("is null if no weight is left", () => {
    const weights = { memory: 0, groundedness: 0, safety: 0, helpfulness: 1, others: 0 };
    expect(memoryCitationScore(needed, weights)).toBeNull();
    expect(memoryCitationScore({ ...needed, helpfulness: 2 }, weights)).toBe(0.25);
  });

  it("is within 0 and 1, and never falls if a value rises", () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(share, { minLength: 12, maxLength: 12 }), fc.nat(11), (shares, k) => {
        const values = (better: boolean) =>
          Object.fromEntries(
            judges.map(({ id, scale }, i) => {
              const [low, high] = scales[scale];
              return [id, better && i === k ? high : low + shares[i]! * (high - low)];
            }),
          );
        const [score, best] = [
          memoryCitationScore(values(false))!,
          memoryCitationScore(values(true))!,
        ];
        expect(score).toBeGreaterThanOrEqual(0);
        expect(best).toBeGreaterThanOrEqual(score);
        expect(best).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("has default weights that sum to 1", () => {
    expect(Object.values(defaultWeights).reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
  });
});
