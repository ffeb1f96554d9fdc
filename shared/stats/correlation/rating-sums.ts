import type { Statistic } from "../bootstrap/statistics.ts";

/**
 * Sums from which agreement is computed, so that a bootstrap can resample them: for items rated by two raters, and
 * for items rated by any number. Ratings are small non-negative numbers on one scale.
 */

/** Contributions of a pair of ratings: 1, a, b, a², b², (a − b)², |a − b|. */
export const pairSums = [
  "pairs",
  "pairA",
  "pairB",
  "pairAA",
  "pairBB",
  "pairSquared",
  "pairAbsolute",
] as const;
export type PairSum = (typeof pairSums)[number];

/**
 * Contribution of one item rated by two raters.
 * @example pairNumbers(1, 3).pairSquared // 4
 */
export function pairNumbers(a: number, b: number): Record<PairSum, number> {
  return {
    pairs: 1,
    pairA: a,
    pairB: b,
    pairAA: a ** 2,
    pairBB: b ** 2,
    pairSquared: (a - b) ** 2,
    pairAbsolute: Math.abs(a - b),
  };
}

/** Whole levels: 0 and 1, 1 to 5, or the indexes of up to eleven grades. */
const levels = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;

/** Contributions of a pair of ratings to agreement on the level: 1, 1 if equal, and 1 at each rater's level. */
export const levelSums = [
  "pairs",
  "same",
  ...levels.map((level) => `a${level}` as const),
  ...levels.map((level) => `b${level}` as const),
] as const;
export type LevelSum = (typeof levelSums)[number];

/**
 * Contribution of one item rated by two raters, each rating as the nearest level.
 * @example levelNumbers(1, 3).same // 0
 */
export function levelNumbers(a: number, b: number): Record<LevelSum, number> {
  const [first, second] = [Math.round(a), Math.round(b)];
  const ones = new Set<string>(["pairs", `a${first}`, `b${second}`]);
  if (first === second) ones.add("same");
  return Object.fromEntries(levelSums.map((name) => [name, Number(ones.has(name))])) as Record<
    LevelSum,
    number
  >;
}

/**
 * Raw agreement: the share of items with the same level, 0–1; null without pairs.
 * @example rawAgreement(at)(sums) // 0.75
 */
export const rawAgreement =
  (at: Readonly<Record<LevelSum, number>>): Statistic =>
  (sums) =>
    sums[at.pairs] === 0 ? null : sums[at.same]! / sums[at.pairs]!;

/**
 * Cohen's kappa, −1 to 1: agreement on the level beyond chance; all differences count equally. Null without pairs, and
 * if both raters always give the same single level.
 * Source: Cohen 1960; docs/spec/statistics.md, agreement.
 * @example cohensKappa(at)(sums) // 0.6
 */
export function cohensKappa(at: Readonly<Record<LevelSum, number>>): Statistic {
  return (sums) => {
    const n = sums[at.pairs]!;
    const chance = levels.reduce<number>(
      (all, k) => all + sums[at[`a${k}`]]! * sums[at[`b${k}`]]!,
      0,
    );
    const possible = n * n - chance;
    return possible <= roundingShare * n * n ? null : (n * sums[at.same]! - chance) / possible;
  };
}

/** A spread below this share of the sum of squares is rounding error: the ratings are equal. */
const roundingShare = 1e-12;

/**
 * Quadratically weighted kappa, −1 to 1: 1 − Σ(a − b)² / the same over all pairs of the two raters' ratings. Null
 * without pairs, and if no disagreement by chance is possible. `at` gives the index of each sum.
 * Source: Cohen 1968; docs/spec/statistics.md, agreement.
 * @example weightedKappa(at)(sums) // 0.75
 */
export function weightedKappa(at: Readonly<Record<PairSum, number>>): Statistic {
  return (sums) => {
    const n = sums[at.pairs]!;
    if (n === 0) return null;
    const [aa, bb] = [sums[at.pairAA]!, sums[at.pairBB]!];
    const expected = aa + bb - (2 * sums[at.pairA]! * sums[at.pairB]!) / n;
    return expected <= roundingShare * (aa + bb) ? null : 1 - sums[at.pairSquared]! / expected;
  };
}

/**
 * Mean of |a − b|, in the unit of the ratings; null without pairs.
 * @example meanAbsoluteError(at)(sums) // 0.5
 */
export function meanAbsoluteError(at: Readonly<Record<PairSum, number>>): Statistic {
  return (sums) => (sums[at.pairs] === 0 ? null : sums[at.pairAbsolute]! / sums[at.pairs]!);
}

/** Contributions of an item with several ratings: their number, sum, sum of squares, and disagreement. */
export const panelSums = ["ratings", "ratingSum", "ratingSquares", "ratingDisagreement"] as const;
export type PanelSum = (typeof panelSums)[number];

/**
 * Contribution of one item rated by two or more raters; zeros for an item with fewer ratings.
 * @example panelNumbers([1, 3]).ratingDisagreement // 8
 */
export function panelNumbers(ratings: readonly number[]): Record<PanelSum, number> {
  const n = ratings.length;
  if (n < 2) return { ratings: 0, ratingSum: 0, ratingSquares: 0, ratingDisagreement: 0 };
  const mean = ratings.reduce((all, one) => all + one, 0) / n;
  const spread = ratings.reduce((all, one) => all + (one - mean) ** 2, 0);
  return {
    ratings: n,
    ratingSum: n * mean,
    ratingSquares: ratings.reduce((all, one) => all + one ** 2, 0),
    ratingDisagreement: (2 * n * spread) / (n - 1),
  };
}

/**
 * Krippendorff's alpha for interval ratings: 1 − observed / expected squared difference; 1 for perfect agreement, 0
 * for chance, negative below chance. Null if nothing can be compared or all ratings are equal.
 * Source: Krippendorff 2011; docs/spec/statistics.md, agreement.
 * @example alphaOfSums(at)(sums) // 0.8
 */
export function alphaOfSums(at: Readonly<Record<PanelSum, number>>): Statistic {
  return (sums) => {
    const n = sums[at.ratings]!;
    if (n < 2) return null;
    const squares = n * sums[at.ratingSquares]!;
    const spread = squares - sums[at.ratingSum]! ** 2;
    if (spread <= roundingShare * squares) return null;
    return 1 - (sums[at.ratingDisagreement]! * (n - 1)) / (2 * spread);
  };
}
