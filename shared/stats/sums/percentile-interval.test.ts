import { describe, expect, it, test } from "vitest";
import { leastValues, percentileInterval, percentilePlaces } from "./percentile-interval.ts";

/** Probability that at most `k` of `n` values are below a percentile, as a sum of its terms. */
function chanceUpTo(k: number, n: number, share: number): number {
  if (share > 0.5) return 1 - chanceUpTo(n - k - 1, n, 1 - share);
  let term = (1 - share) ** n;
  let sum = 0;
  for (let i = 0; i <= k; i++) {
    sum += term;
    term *= ((n - i) / (i + 1)) * (share / (1 - share));
  }
  return sum;
}

describe.each([
  [6, 0.5],
  [15, 0.5],
  [72, 0.95],
  [100, 0.95],
  [150, 0.05],
  [368, 0.99],
])("percentilePlaces(%d, %d)", (n, share) => {
  const { low, high } = percentilePlaces(n, share)!;
  it("excludes at most 2.5% at each end, but more than 2.5% one place further inside", () => {
    expect(chanceUpTo(low, n, share)).toBeLessThanOrEqual(0.025 + 1e-9);
    expect(chanceUpTo(low + 1, n, share)).toBeGreaterThan(0.025);
    expect(1 - chanceUpTo(high, n, share)).toBeLessThanOrEqual(0.025 + 1e-9);
    expect(1 - chanceUpTo(high - 1, n, share)).toBeGreaterThan(0.025);
  });
});

test.each([
  [0.5, 6],
  [0.95, 72],
  [0.05, 72],
  [0.99, 368],
])("leastValues(%d) is %i: one fewer has no interval", (share, least) => {
  expect(leastValues(share)).toBe(least);
  expect(percentilePlaces(least, share)).not.toBeNull();
  expect(percentilePlaces(least - 1, share)).toBeNull();
});

it("percentileInterval() returns the values at these places, or null for too few values", () => {
  expect(percentileInterval([1, 2, 3, 4, 5, 6], 0.5)).toEqual([1, 6]);
  expect(percentileInterval([1, 2, 3, 4, 5], 0.5)).toBeNull();
  expect(percentileInterval([], 0.5)).toBeNull();
});
