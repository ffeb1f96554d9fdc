import { describe, expect, it } from "vitest";
import { choiceEValue } from "./choice-e-value.ts";

/** One order of the values for each possible set of last values. */
function choices(values: readonly number[], since: number): number[][] {
  const sets: number[][] = [];
  const choose = (from: number, chosen: number[]) => {
    if (chosen.length === since) sets.push(chosen);
    else for (let i = from; i < values.length; i++) choose(i + 1, [...chosen, i]);
  };
  choose(0, []);
  return sets.map((set) => [
    ...values.filter((_, i) => !set.includes(i)),
    ...set.map((i) => values[i]!),
  ]);
}

/** The mean over all choices in all units: the exact expectation if nothing changed. */
function expectation(units: readonly (readonly number[])[], since: number): number {
  let all: number[][][] = [[]];
  for (const unit of units) {
    all = all.flatMap((before) => choices(unit, since).map((order) => [...before, order]));
  }
  return all.reduce((sum, one) => sum + choiceEValue(one, since), 0) / all.length;
}

describe("choiceEValue()", () => {
  it.each([
    [[[1, 0]], 1],
    [
      [
        [1, 0, 0.5],
        [0.2, 0.2, 0.9],
      ],
      1,
    ],
    [
      [
        [1, 1, 0, 0],
        [0, 1, 1, 1],
        [0.5, 0.5, 0.5, 0.5],
      ],
      2,
    ],
    [
      [
        [0.9, 0.1, 0.4, 0.4, 0.7],
        [1, 0, 0, 0, 0],
      ],
      3,
    ],
  ])("of %j is 1 on average over all choices of the last %d", (units, since) => {
    expect(expectation(units, since)).toBeCloseTo(1, 10);
  });

  it("is 1 without units, and if no unit varies", () => {
    expect(choiceEValue([], 1)).toBe(1);
    expect(
      choiceEValue(
        [
          [1, 1, 1],
          [0, 0, 0],
        ],
        2,
      ),
    ).toBe(1);
  });

  it("does not depend on the order of units or on the unit of values", () => {
    const units = [
      [0.9, 0.8, 0.3],
      [0.5, 0.6, 0.4],
      [1, 1, 0],
    ];
    const value = choiceEValue(units, 1);
    expect(choiceEValue(units.toReversed(), 1)).toBeCloseTo(value, 10);
    const scaled = (by: number) => units.map((unit) => unit.map((one) => by * one));
    expect(choiceEValue(scaled(100), 1)).toBeCloseTo(value, 10);
  });

  it("is large if all units fell slightly, and if a few of many fell to 0", () => {
    const noise = (i: number, run: number) => 0.05 * Math.sin(12.9898 * i + 78.233 * run);
    const runs = [0, 1, 2, 3, 4, 5, 6, 7];
    const all = Array.from({ length: 72 }, (_, i) =>
      runs.map((run) => 0.8 + noise(i, run) - (run < 4 ? 0 : 0.05)),
    );
    const few = Array.from({ length: 72 }, (_, i) =>
      runs.map((run) => (i < 7 && run >= 4 ? 0 : 0.8)),
    );
    const none = Array.from({ length: 72 }, (_, i) => runs.map((run) => 0.8 + noise(i, run)));
    expect(choiceEValue(all, 4)).toBeGreaterThan(1e6);
    expect(choiceEValue(few, 4)).toBeGreaterThan(1e6);
    expect(choiceEValue(none, 4)).toBeLessThan(5);
  });

  it("is at most 1e9", () => {
    expect(choiceEValue(Array(10_000).fill([1, 1, 0, 0]), 2)).toBe(1e9);
  });
});
