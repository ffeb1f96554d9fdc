import fc from "fast-check";
import { expect, it, test } from "vitest";
import { wilsonInterval, winRate } from "./wilson-interval.ts";

// Newcombe 1998, Two-sided confidence intervals for the single proportion, table I, method 3.
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
] as const)("wilsonInterval(%d, %d) is from %d to %d", (count, n, low, high) => {
  const interval = wilsonInterval(count, n)!;
  expect(interval[0]).toBeCloseTo(low, 4);
  expect(interval[1]).toBeCloseTo(high, 4);
});

test("wilsonInterval() is null for n = 0", () => {
  expect(wilsonInterval(0, 0)).toBeNull();
});

test("wilsonInterval() contains the share, is within 0–1, and is symmetric", () => {
  const pair = fc.integer({ min: 1, max: 1_000 }).chain((n) => fc.tuple(fc.nat(n), fc.constant(n)));
  fc.assert(
    fc.property(pair, ([count, n]) => {
      const [low, high] = wilsonInterval(count, n)!;
      expect(low).toBeGreaterThanOrEqual(0);
      expect(low).toBeLessThanOrEqual(count / n);
      expect(high).toBeGreaterThanOrEqual(count / n);
      expect(high).toBeLessThanOrEqual(1);
      const mirrored = wilsonInterval(n - count, n)!;
      expect(mirrored[0]).toBeCloseTo(1 - high, 12);
      expect(mirrored[1]).toBeCloseTo(1 - low, 12);
    }),
  );
});

it.each([
  ["wins, ties and losses", [1, 0.5, 0], [0, 0.5, 0.5], 0.5],
  ["wins alone", [1, 1], [0, 0], 1],
  ["a tie except for rounding", [0.1 + 0.2], [0.3], 0.5],
  ["nothing", [], [], null],
])("winRate() of %s", (_, a, b, rate) => {
  expect(winRate(a, b)).toBe(rate);
});
