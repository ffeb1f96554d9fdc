import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { correctedMean, type RatedUnit } from "./corrected-mean.ts";

const unrated = (value: number): RatedUnit => ({ unrated: { n: 1, sum: value }, rated: [] });
const rated = (judge: number, people: number): RatedUnit => ({
  unrated: { n: 0, sum: 0 },
  rated: [[judge, people]],
});
const many = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

const variance = (values: readonly number[]) => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
};

describe("correctedMean()", () => {
  it("is null without ratings, and has no interval below ten rated units", () => {
    expect(correctedMean([unrated(3)], [1, 5])).toBeNull();
    const few = many(9, (i) => rated(3, 1 + (i % 5)));
    expect(correctedMean(few, [1, 5])).toMatchObject({ interval: null, toHalve: null, n: 9 });
  });

  it("removes a constant bias of the judge, using the judge's mean of all answers", () => {
    // People: 1 … 4, one less than the judge. The unrated answers are better: the judge's mean of them is 4.5.
    const units = [
      ...many(40, (i) => rated(2 + (i % 4), 1 + (i % 4))),
      ...many(400, (i) => unrated(4 + (i % 2))),
    ];
    const found = correctedMean(units, [1, 5])!;
    expect(found.judge).toBeCloseTo((40 * 3.5 + 400 * 4.5) / 440, 12);
    // a = −b on rated units, so λ = Σa² / (Σa² + Σb² of the unrated) = (1.25/40) / (1.25/40 + 0.25/400).
    const weight = 1.25 / 40 / (1.25 / 40 + 0.25 / 400);
    expect(found.weight).toBeCloseTo(weight, 12);
    expect(found.value).toBeCloseTo(2.5 + weight * (4.5 - 3.5), 12);
  });

  it("weights the judge so that the variance is minimal", () => {
    const units = [
      ...many(50, (i) => rated(1 + ((i * 7) % 5), 1 + ((i * 7 + (i % 3)) % 5))),
      ...many(200, (i) => unrated(1 + ((i * 11) % 5))),
    ];
    const { weight } = correctedMean(units, [1, 5])!;
    const pairs = units.flatMap((unit) => unit.rated);
    const rest = units.flatMap(({ unrated: { n, sum } }) => (n > 0 ? [sum] : []));
    const at = (w: number) =>
      variance(pairs.map(([judge, people]) => people - w * judge)) / pairs.length +
      (w ** 2 * variance(rest)) / rest.length;
    for (const other of [0, 0.25, 0.5, 0.75, 1]) {
      expect(at(weight)).toBeLessThanOrEqual(at(other) + 1e-12);
    }
  });

  it("ignores a judge that is uncorrelated with people, or negatively correlated", () => {
    const same = [...many(40, (i) => rated(3, 1 + (i % 5))), ...many(100, () => unrated(3))];
    expect(correctedMean(same, [1, 5])).toMatchObject({ value: 3, weight: 0 });
    const opposite = [
      ...many(40, (i) => rated(5 - (i % 5), 1 + (i % 5))),
      ...many(100, (i) => unrated(1 + (i % 5))),
    ];
    expect(correctedMean(opposite, [1, 5])).toMatchObject({ value: 3, weight: 0 });
  });

  it("equals people's mean if they rated everything", () => {
    const units = many(100, (i) => rated(5, 1 + (i % 5)));
    expect(correctedMean(units, [1, 5])).toMatchObject({ value: 3, judge: 5, weight: 0 });
  });

  it("has Wilson's interval for ratings at the ends of the scale, and always a positive width", () => {
    const passes = correctedMean(
      many(100, (i) => rated(1, Number(i < 90))),
      [0, 1],
    );
    // Wilson for 90 of 100: statsmodels 0.14 proportion_confint; n is 99 here, since a mean takes one degree.
    expect(passes?.interval?.[0]).toBeCloseTo(0.8252, 2);
    expect(passes?.interval?.[1]).toBeCloseTo(0.9448, 2);
    const equal = correctedMean(
      many(30, () => rated(5, 4)),
      [1, 5],
    )!;
    expect(equal.value).toBe(4);
    expect(equal.interval![0]).toBeLessThan(3.7);
    expect(equal.interval![1]).toBeGreaterThan(4);
    expect(equal.interval![1]).toBeLessThanOrEqual(5);
  });

  it("counts the answers of a cluster for less than independent ones", () => {
    const level = (k: number) => 1 + (k % 5);
    const clusters = many(
      20,
      (k): RatedUnit => ({
        unrated: { n: 0, sum: 0 },
        rated: many(5, () => [level(k), level(k)] as const),
      }),
    );
    const single = many(100, (i) => rated(level(Math.floor(i / 5)), level(Math.floor(i / 5))));
    const width = (units: RatedUnit[]) => {
      const [low, high] = correctedMean(units, [1, 5])!.interval!;
      return high - low;
    };
    expect(width(clusters)).toBeGreaterThan(2 * width(single));
  });

  it("says how many ratings halve the interval: four times as many if the judge is uninformative", () => {
    const units = [...many(25, (i) => rated(3, 1 + (i % 5))), ...many(500, () => unrated(3))];
    expect(correctedMean(units, [1, 5])?.toHalve).toBe(100);
    const tooFew = [...many(25, (i) => rated(3, 1 + (i % 5))), ...many(50, () => unrated(3))];
    expect(correctedMean(tooFew, [1, 5])?.toHalve).toBeNull();
  });

  it("stays within the scale for any values of people and judges", () => {
    const level = fc.integer({ min: 1, max: 5 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(level, level), { minLength: 1, maxLength: 40 }),
        fc.array(level, { maxLength: 40 }),
        (pairs, others) => {
          const units = [...pairs.map(([a, b]) => rated(a, b)), ...others.map(unrated)];
          const { value, interval, weight, toHalve } = correctedMean(units, [1, 5])!;
          expect(value).toBeGreaterThanOrEqual(1);
          expect(value).toBeLessThanOrEqual(5);
          expect(weight).toBeGreaterThanOrEqual(0);
          expect(weight).toBeLessThanOrEqual(1);
          if (toHalve !== null) expect(toHalve).toBeGreaterThan(pairs.length);
          if (interval === null) {
            expect(pairs.length).toBeLessThan(10);
            return;
          }
          expect(interval[0]).toBeGreaterThanOrEqual(1);
          expect(interval[1]).toBeLessThanOrEqual(5);
          expect(interval[0]).toBeLessThan(interval[1]);
        },
      ),
    );
  });
});
