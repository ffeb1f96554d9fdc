import { expect, it } from "vitest";
import { jointMeans } from "./joint-figures.ts";
import { rankSpread } from "./rank-spread.ts";

const spread = (...models: number[][]) =>
  rankSpread(
    jointMeans(
      models.map((scores) => ({
        of: Float64Array.from(scores),
        over: new Float64Array(scores.length).fill(1),
      })),
      "board",
    ),
  );

const every = (of: (i: number) => number) => Array.from({ length: 200 }, (_, i) => of(i));
const better = every((i) => (i % 10 < 8 ? 1 : 0));
const worse = every((i) => (i % 10 < 3 ? 1 : 0));

it("rankSpread() ranks a clearly better model first in every draw", () => {
  expect(spread(worse, better)).toEqual([
    { interval: [2, 2], best: 0 },
    { interval: [1, 1], best: 1 },
  ]);
});

it("rankSpread() lets equal models share their ranks and the first place", () => {
  expect(spread(better, better, worse)).toEqual([
    { interval: [1, 2], best: 0.5 },
    { interval: [1, 2], best: 0.5 },
    { interval: [3, 3], best: 0 },
  ]);
});

it("rankSpread() gives overlapping ranks to models that differ by chance, with shares that sum to 1", () => {
  const models = [every((i) => (i * 7) % 11), every((i) => (i * 5) % 11)];
  const found = spread(...models);
  expect(found.map(({ interval }) => interval)).toEqual([
    [1, 2],
    [1, 2],
  ]);
  expect(found.reduce((sum, { best }) => sum + best, 0)).toBeCloseTo(1, 9);
  expect(spread(...models)).toEqual(found);
});

it("rankSpread() gives the interval 1–1 only to a model that is first in at least 95% of the draws", () => {
  // The models differ in one sample of ten, so many draws find them equal.
  const ties = [better, better.with(0, 0), worse];
  for (const { interval, best } of spread(...ties)) {
    if (interval[1] === 1) expect(best).toBeGreaterThanOrEqual(0.95);
  }
  const [first] = spread(...ties);
  expect(first?.best).toBeLessThan(0.95);
  expect(first?.interval).toEqual([1, 2]);
});

it("rankSpread() allows every rank for fewer than two samples", () => {
  expect(spread([1], [0])).toEqual([
    { interval: [1, 2], best: 0.5 },
    { interval: [1, 2], best: 0.5 },
  ]);
  expect(spread()).toEqual([]);
});
