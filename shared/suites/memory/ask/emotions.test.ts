import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EmotionMix, emotions, fuseEmotions, readMix, uniformMix } from "./emotions.ts";

const weights = { speechWeight: 0.7, textWeight: 0.3 };

describe("readMix()", () => {
  it("rescales shares to sum 1, and sets missing ones to 0", () => {
    expect(readMix({ joy: 3, fear: 1 })).toMatchObject({
      ok: true,
      value: { joy: 0.75, fear: 0.25, anger: 0 },
    });
  });

  it.each<[unknown, string]>([
    [null, "object of shares"],
    [[1], "object of shares"],
    [{ love: 1 }, 'not "love"'],
    [{ joy: -1 }, "joy must be a number of at least 0, not -1"],
    [{ joy: "1" }, 'not "1"'],
    [{ joy: Number.POSITIVE_INFINITY }, "joy must be a number"],
    [{ joy: 0 }, "a share above 0"],
    [{}, "a share above 0"],
  ])("refuses %j", (value, error) => {
    expect(readMix(value)).toEqual({ ok: false, error: expect.stringContaining(error) });
  });

  it("accepts shares of any size", () => {
    const share = fc.double({ min: 0, max: 1.7e308, noNaN: true });
    fc.assert(
      fc.property(fc.array(share, { minLength: 7, maxLength: 7 }), (shares) => {
        const read = readMix(Object.fromEntries(emotions.map((name, i) => [name, shares[i]])));
        expect(read.ok).toBe(Math.max(...shares) > 0);
        if (read.ok) expect(total(read.value)).toBeCloseTo(1, 9);
      }),
    );
  });
});

const total = (mix: EmotionMix) => Object.values(mix).reduce((a, b) => a + b, 0);

describe("fuseEmotions()", () => {
  const joy: EmotionMix = { ...uniformMix };
  for (const emotion of emotions) joy[emotion] = Number(emotion === "joy");

  it("treats a missing distribution as uniform", () => {
    expect(fuseEmotions(null, null, weights)).toEqual(
      Object.fromEntries(emotions.map((emotion) => [emotion, expect.closeTo(1 / 7, 12)])),
    );
    expect(fuseEmotions(null, joy, weights).joy).toBeCloseTo(0.7 / 7 + 0.3, 12);
  });

  it("uses the weights, which need not sum to 1", () => {
    expect(fuseEmotions(joy, null, { speechWeight: 2, textWeight: 0 }).joy).toBeCloseTo(1, 12);
    expect(fuseEmotions(joy, null, { speechWeight: 3, textWeight: 3 }).joy).toBeCloseTo(4 / 7, 12);
  });
});
