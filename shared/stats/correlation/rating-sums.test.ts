import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alphaOf } from "../__fixtures__/alpha-of.ts";
import {
  cohensKappa,
  type LevelSum,
  levelNumbers,
  levelSums,
  meanAbsoluteError,
  type PairSum,
  pairNumbers,
  pairSums,
  rawAgreement,
  weightedKappa,
} from "./rating-sums.ts";

const pairAt = Object.fromEntries(pairSums.map((name, i) => [name, i])) as Record<PairSum, number>;

type Pairs = readonly (readonly [number, number])[];
const pairsOf = (pairs: Pairs) =>
  Float64Array.from(pairSums, (name) =>
    pairs.reduce((sum, [a, b]) => sum + pairNumbers(a, b)[name], 0),
  );
const kappaOf = (pairs: Pairs) => weightedKappa(pairAt)(pairsOf(pairs));

const rating = fc.integer({ min: 1, max: 5 });

describe("weightedKappa()", () => {
  it("is 1 − observed / expected squared difference, the expected one over all pairs", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(rating, rating), { maxLength: 30 }), (pairs) => {
        const observed = pairs.reduce((sum, [a, b]) => sum + (a - b) ** 2, 0);
        const expected = pairs
          .flatMap(([a]) => pairs.map(([, b]) => (a - b) ** 2 / pairs.length))
          .reduce((sum, square) => sum + square, 0);
        const kappa = expected === 0 ? null : expect.closeTo(1 - observed / expected, 9);
        expect(kappaOf(pairs)).toEqual(kappa);
      }),
    );
  });

  // sklearn 1.5 cohen_kappa_score(weights="quadratic")
  it("is 0.8 if one of four pairs differs by one level", () => {
    const pairs = [
      [1, 1],
      [2, 2],
      [3, 3],
      [2, 3],
    ] as const;
    expect(kappaOf(pairs)).toBeCloseTo(0.8, 12);
  });
});

describe("agreement on the level", () => {
  const levelAt = Object.fromEntries(levelSums.map((name, i) => [name, i])) as Record<
    LevelSum,
    number
  >;
  const sumsOf = (pairs: Pairs) =>
    Float64Array.from(levelSums, (name) =>
      pairs.reduce((sum, [a, b]) => sum + levelNumbers(a, b)[name], 0),
    );

  // Cohen 1960, and sklearn 1.5 cohen_kappa_score
  it.each<[string, Pairs, number | null, number | null]>([
    ["no pairs", [], null, null],
    [
      "one level throughout",
      [
        [3, 3],
        [3, 3.2],
      ],
      1,
      null,
    ],
    [
      "one of four pairs that differs",
      [
        [1, 1],
        [2, 2],
        [3, 3],
        [2, 3],
      ],
      0.75,
      7 / 11,
    ],
    [
      "agreement by chance",
      [
        [0, 0],
        [0, 1],
        [1, 0],
        [1, 1],
      ],
      0.5,
      0,
    ],
  ])("of %s", (_, pairs, agreement, kappa) => {
    const sums = sumsOf(pairs);
    const near = (value: number | null) => (value === null ? null : expect.closeTo(value, 12));
    expect(rawAgreement(levelAt)(sums)).toEqual(near(agreement));
    expect(cohensKappa(levelAt)(sums)).toEqual(near(kappa));
  });
});

describe("meanAbsoluteError()", () => {
  it.each<[string, [number, number][], number | null]>([
    ["no pairs", [], null],
    ["equal ratings", [[3, 3]], 0],
    [
      "different ratings",
      [
        [1, 4],
        [5, 4],
      ],
      2,
    ],
  ])("of %s", (_, pairs, wanted) => {
    expect(meanAbsoluteError(pairAt)(pairsOf(pairs))).toBe(wanted);
  });
});

describe("alphaOfSums()", () => {
  it("of the example in Krippendorff 2011 (interval data) is 0.849", () => {
    const raters = [
      [1, 2, 3, 3, 2, 1, 4, 1, 2, null, null, null],
      [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, null, 3],
      [null, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, null],
      [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, null],
    ];
    const items = Array.from({ length: 12 }, (_, i) => raters.map((ratings) => ratings[i] ?? null));
    expect(alphaOf(items)).toBeCloseTo(0.849, 3);
  });

  const pairs = (a: number | null, b: number | null, c: number | null, d: number | null) => [
    [a, b],
    [c, d],
  ];
  it.each([
    ["perfect agreement", pairs(1, 1, 2, 2), 1],
    ["items with a single rating", pairs(1, null, 2, null), null],
    ["ratings that never vary", pairs(3, 3, 3, 3), null],
    ["nothing", [], null],
  ])("of %s", (_, items, alpha) => {
    expect(alphaOf(items)).toBe(alpha);
  });

  it("is negative when raters disagree more than by chance", () => {
    expect(alphaOf(pairs(1, 5, 5, 1))).toBeLessThan(0);
  });
});
