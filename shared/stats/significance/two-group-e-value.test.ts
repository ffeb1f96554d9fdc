import { describe, expect, it } from "vitest";
import { xoshiro128 } from "../xoshiro128.ts";
import { twoGroupEValue } from "./two-group-e-value.ts";

/** The mean over all divisions of the values: the exact expectation if the groups don't differ. */
function expectation(values: readonly number[], since: number): number {
  const found: number[] = [];
  for (let set = 0; set < 2 ** values.length; set++) {
    const last = values.filter((_, i) => (set >> i) & 1);
    const first = values.filter((_, i) => !((set >> i) & 1));
    if (last.length === since) found.push(twoGroupEValue(first, last));
  }
  return found.reduce((sum, one) => sum + one, 0) / found.length;
}

const source = xoshiro128("two groups");
const random = () => (source() + 0.5) / 2 ** 32;
const draws = (count: number, mean: number) =>
  Array.from({ length: count }, () => mean + 0.4 * (random() - 0.5));

describe("twoGroupEValue()", () => {
  it.each([
    [[1, 0], 1],
    [[1, 1, 1, 0, 0, 1, 0.5, 0.2], 3],
    [[1, 1, 1, 1, 1, 1, 1, 0, 1, 1], 2],
    [[0.9, 0.1, 0.4, 0.4, 0.7, 0.2, 0.8], 5],
    [[3, -200, 7, 12, 0.1, 4, 4, 4, 90], 4],
  ])("of %j is at most 1 on average over all divisions with %d since", (values, since) => {
    const mean = expectation(values, since);
    expect(mean).toBeGreaterThan(0);
    expect(mean).toBeLessThanOrEqual(1 + 1e-9);
  });

  it("is 1 without a second group, and if no value differs", () => {
    expect(twoGroupEValue([], [1, 2])).toBe(1);
    expect(twoGroupEValue([1, 2], [])).toBe(1);
    expect(twoGroupEValue([1, 1], [1, 1, 1])).toBe(1);
  });

  it("does not depend on the unit of values, and is large for a fall whichever group is larger", () => {
    const [before, since] = [draws(200, 0.8), draws(60, 0.65)];
    const value = twoGroupEValue(before, since);
    expect(value).toBeGreaterThan(1e4);
    const scaled = (values: number[]) => values.map((one) => 100 * one);
    expect(twoGroupEValue(scaled(before), scaled(since)) / value).toBeCloseTo(1, 6);
    expect(twoGroupEValue(draws(60, 0.8), draws(200, 0.65))).toBeGreaterThan(1e4);
    expect(twoGroupEValue(draws(200, 0.8), draws(60, 0.8))).toBeLessThan(20);
  });

  it("is at most 1e9", () => {
    expect(twoGroupEValue(Array(5_000).fill(1), Array(1_000).fill(0))).toBe(1e9);
  });
});
