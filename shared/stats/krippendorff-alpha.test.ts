import { expect, it } from "vitest";
import { krippendorffAlpha } from "./krippendorff-alpha.ts";

it("krippendorffAlpha() of the example in Krippendorff 2011 (interval data): 0.849", () => {
  const raters = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, null, null, null],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, null, 3],
    [null, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, null],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, null],
  ];
  const items = Array.from({ length: 12 }, (_, i) => raters.map((ratings) => ratings[i] ?? null));
  expect(krippendorffAlpha(items)).toBeCloseTo(0.849, 3);
});

it.each([
  [
    "perfect agreement",
    [
      [1, 1],
      [2, 2],
    ],
    1,
  ],
  [
    "items with one rating alone",
    [
      [1, null],
      [2, null],
    ],
    null,
  ],
  [
    "ratings that never vary",
    [
      [3, 3],
      [3, 3],
    ],
    null,
  ],
  ["nothing", [], null],
])("krippendorffAlpha() of %s", (_, items, alpha) => {
  expect(krippendorffAlpha(items)).toBe(alpha);
});

it("krippendorffAlpha() is negative where raters disagree more than by chance", () => {
  expect(
    krippendorffAlpha([
      [1, 5],
      [5, 1],
    ]),
  ).toBeLessThan(0);
});
