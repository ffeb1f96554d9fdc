import { alphaOfSums, panelNumbers, panelSums } from "../correlation/rating-sums.ts";

const at = { ratings: 0, ratingSum: 1, ratingSquares: 2, ratingDisagreement: 3 };

/** Krippendorff's alpha of items with their ratings; null: no rating from this rater. */
export function alphaOf(items: readonly (readonly (number | null)[])[]): number | null {
  const numbers = items.map((ratings) => panelNumbers(ratings.filter((one) => one !== null)));
  const sums = Float64Array.from(panelSums, (name) =>
    numbers.reduce((sum, its) => sum + its[name], 0),
  );
  return alphaOfSums(at)(sums);
}
