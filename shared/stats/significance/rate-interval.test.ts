import { describe, expect, it } from "vitest";
import { equalInterval, rateDifferenceInterval, rateInterval } from "./rate-interval.ts";
import { wilsonInterval } from "./wilson-interval.ts";

const ones = (n: number) => new Array<number>(n).fill(1);

describe("rateInterval()", () => {
  it("is Wilson's for independent items", () => {
    const hits = Array.from({ length: 40 }, (_, i) => Number(i % 5 > 0));
    expect(rateInterval({ hits, items: ones(40) })).toEqual(wilsonInterval(32, 40));
  });

  it("is about Wilson's for the units if all items of a unit agree", () => {
    const hits = Array.from({ length: 20 }, (_, i) => 4 * Number(i % 5 > 0));
    const [low, high] = rateInterval({ hits, items: hits.map(() => 4) })!;
    const [ofUnits] = [wilsonInterval(16, 20)!];
    expect(low).toBeCloseTo(ofUnits[0], 1);
    expect(high).toBeCloseTo(ofUnits[1], 1);
    expect(low).toBeLessThan(wilsonInterval(64, 80)![0]);
  });

  it("is never shorter than for independent items", () => {
    // All units have the same rate, so they vary less than by chance.
    expect(rateInterval({ hits: ones(20), items: ones(20).map(() => 2) })).toEqual(
      wilsonInterval(20, 40),
    );
  });

  it("counts each unit once if all items are hits", () => {
    expect(rateInterval({ hits: [4, 4, 4], items: [4, 4, 4] })).toEqual(wilsonInterval(3, 3));
  });

  it("is null below two units with items", () => {
    expect(rateInterval({ hits: [1], items: [1] })).toBeNull();
    expect(rateInterval({ hits: [3, 0], items: [4, 0] })).toBeNull();
  });
});

describe("rateDifferenceInterval()", () => {
  /** Differences of independent items, some of them won and some lost. */
  const of = (won: number, lost: number, n: number) => {
    const hits = ones(n).map((_, i) => (i < won ? 1 : i < won + lost ? -1 : 0));
    return rateDifferenceInterval({ hits, items: ones(n) }, lost)!;
  };

  it("is the adjusted Wald interval", () => {
    // Bonett and Price 2012: (won + 1 − lost − 1) / (n + 2) ± z · √(((won + lost + 2) / 17 − (2 / 17)²) / 17).
    const reach = 1.959963984540054 * Math.sqrt((6 / 17 - (2 / 17) ** 2) / 17);
    expect(of(3, 1, 15)[0]).toBeCloseTo(2 / 17 - reach, 12);
    expect(of(3, 1, 15)[1]).toBeCloseTo(2 / 17 + reach, 12);
  });

  it("has a positive width if no items differ", () => {
    expect(of(0, 0, 15)[0]).toBeCloseTo(-of(0, 0, 15)[1], 12);
    expect(of(1, 0, 15)[0]).toBeLessThan(0);
    expect(of(0, 15, 15)).toEqual([-1, expect.any(Number)]);
    expect(of(0, 15, 15)[1]).toBeLessThan(-0.5);
  });

  it("is at least as wide as for independent items, and depends on the units if their items agree", () => {
    const units = [4, 4, -4, 0, 0, 0, 0, 0, 0, 0];
    const [low, high] = rateDifferenceInterval({ hits: units, items: units.map(() => 4) }, 4)!;
    expect(high - low).toBeGreaterThan(0.95 * (of(2, 1, 10)[1] - of(2, 1, 10)[0]));
    const even = rateDifferenceInterval({ hits: ones(10).fill(0), items: ones(10).fill(2) }, 10)!;
    const apart = of(10, 10, 20);
    expect(even[0]).toBeCloseTo(apart[0], 12);
    expect(rateDifferenceInterval({ hits: [1], items: [1] }, 0)).toBeNull();
  });
});

describe("equalInterval()", () => {
  it("is Wilson's at an end of the range", () => {
    expect(equalInterval(1, 15, [0, 1])?.[0]).toBeCloseTo(wilsonInterval(15, 15)![0], 12);
    expect(equalInterval(0, 15, [0, 1])?.[1]).toBeCloseTo(wilsonInterval(0, 15)![1], 12);
  });

  it("contains the value, stays within the range, and is shorter for more values", () => {
    const [low, high] = equalInterval(3, 20, [1, 5])!;
    expect([low < 3, high > 3, low > 1, high < 5]).toEqual([true, true, true, true]);
    expect(high - low).toBeGreaterThan(equalInterval(3, 80, [1, 5])![1] - 3);
  });

  it("is null below two values", () => {
    expect(equalInterval(0.5, 1, [0, 1])).toBeNull();
  });
});
