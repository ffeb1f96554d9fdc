import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agreement, squared } from "./agreement.ts";
import { krippendorffAlpha } from "./krippendorff-alpha.ts";
import {
  alphaOfSums,
  meanAbsoluteError,
  pairNumbers,
  pairSums,
  panelNumbers,
  panelSums,
  weightedKappa,
} from "./rating-sums.ts";

const place = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name, i) => [name, i])) as Record<Name, number>;
const pairAt = place(pairSums);
const panelAt = place(panelSums);

const pairsOf = (pairs: readonly (readonly [number, number])[]) =>
  Float64Array.from(pairSums, (name) =>
    pairs.reduce((sum, [a, b]) => sum + pairNumbers(a, b)[name], 0),
  );
const panelsOf = (items: readonly (readonly number[])[]) =>
  Float64Array.from(panelSums, (name) =>
    items.reduce((sum, ratings) => sum + panelNumbers(ratings)[name], 0),
  );

const rating = fc.integer({ min: 1, max: 5 });

describe("weightedKappa()", () => {
  it("is the weighted kappa of the pairs themselves", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(rating, rating), { maxLength: 30 }), (pairs) => {
        const [a, b] = [pairs.map(([one]) => one), pairs.map(([, other]) => other)];
        const { kappa } = agreement(a, b, squared);
        const found = weightedKappa(pairAt)(pairsOf(pairs));
        expect(found).toEqual(kappa === null ? null : expect.closeTo(kappa, 9));
      }),
    );
  });

  // sklearn 1.5 cohen_kappa_score(weights="quadratic")
  it("is 0.8 where one of four is a level off", () => {
    const pairs = [
      [1, 1],
      [2, 2],
      [3, 3],
      [2, 3],
    ] as const;
    expect(weightedKappa(pairAt)(pairsOf(pairs))).toBeCloseTo(0.8, 12);
  });
});

describe("meanAbsoluteError()", () => {
  it.each<[string, [number, number][], number | null]>([
    ["no pairs", [], null],
    ["equal ratings", [[3, 3]], 0],
    [
      "ratings apart",
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
  it("is Krippendorff's alpha of the items themselves", () => {
    const items = fc.array(fc.array(rating, { maxLength: 4 }), { maxLength: 20 });
    fc.assert(
      fc.property(items, (ratings) => {
        const alpha = krippendorffAlpha(ratings);
        const found = alphaOfSums(panelAt)(panelsOf(ratings));
        expect(found).toEqual(alpha === null ? null : expect.closeTo(alpha, 9));
      }),
    );
  });
});
