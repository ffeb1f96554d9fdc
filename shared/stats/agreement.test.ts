import { expect, it } from "vitest";
import { agreement, squared, unequal } from "./agreement.ts";

it("agreement() by hand: two of three alike", () => {
  // Observed disagreement 1/3; by chance 1 − (2/3·1/3 + 1/3·2/3) = 5/9; kappa 1 − 3/5.
  const { raw, kappa } = agreement([1, 1, 2], [1, 2, 2], unequal);
  expect(raw).toBeCloseTo(2 / 3, 12);
  expect(kappa).toBeCloseTo(0.4, 12);
});

it("agreement() weighs near misses less on a scale", () => {
  const [a, near, far] = [
    [1, 2, 3, 4, 5],
    [2, 2, 3, 4, 5],
    [5, 2, 3, 4, 5],
  ];
  const kappa = (b: number[]) => agreement(a as number[], b, squared).kappa ?? 0;
  expect(kappa(near as number[])).toBeGreaterThan(kappa(far as number[]));
  expect(kappa(a as number[])).toBe(1);
});

it("agreement() has no kappa when every rating is the same, and nothing without items", () => {
  expect(agreement(["x", "x"], ["x", "x"], unequal)).toEqual({ n: 2, raw: 1, kappa: null });
  expect(agreement([], [], unequal)).toEqual({ n: 0, raw: null, kappa: null });
});
