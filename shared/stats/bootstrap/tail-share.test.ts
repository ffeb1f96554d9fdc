import { expect, it } from "vitest";
import { tailShare } from "./tail-share.ts";

// SciPy: norm.cdf(-sqrt(n / (n - 1)) * t.ppf(0.975, n - 1)).
it.each([
  [2, 0],
  [5, 0.00095405],
  [15, 0.01321],
  [60, 0.0218],
])("tailShare(%d) is %f", (units, expected) => {
  expect(tailShare(units)).toBeCloseTo(expected, 4);
});

it("tailShare() increases with the number of units, up to that of a normal distribution", () => {
  const shares = [2, 3, 5, 10, 30, 1_000, 100_000].map(tailShare);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares.at(-1)).toBeCloseTo(0.025, 4);
  expect(tailShare(Number.POSITIVE_INFINITY)).toBe(0.025);
  expect(tailShare(1)).toBeNaN();
});
