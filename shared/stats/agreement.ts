/** How two raters agree on the same items. Null where a figure is not defined. */
export interface Agreement {
  /** Items that both rated. */
  n: number;
  /** Share of items rated alike, 0–1. */
  raw: number | null;
  /** Cohen's kappa, −1 to 1: agreement beyond chance. */
  kappa: number | null;
}

/** Disagreement of two ratings, 0 when equal: what kappa weighs. */
export type Disagreement<Rating> = (a: Rating, b: Rating) => number;

/** For names: 0 for the same one, 1 for another. @example unequal("a", "b") // 1 */
export const unequal: Disagreement<unknown> = (a, b) => (a === b ? 0 : 1);
/** For ordered scales such as 1–5, in squared steps. @example squared(1, 3) // 4 */
export const squared: Disagreement<number> = (a, b) => (a - b) ** 2;

/**
 * Raw agreement and Cohen's kappa, 1 − observed / expected disagreement, the expected one over all
 * pairs of the two raters' ratings; weighted by `disagreement` (quadratic for 1–5 scales). Kappa is
 * null where no disagreement is possible by chance. O(n + ratings²).
 * Source: Cohen 1960, 1968; docs/spec/statistics.md, agreement.
 * @example agreement([1, 1, 2], [1, 2, 2], unequal).kappa // 0.4
 */
export function agreement<Rating>(
  a: readonly Rating[],
  b: readonly Rating[],
  disagreement: Disagreement<Rating>,
): Agreement {
  const n = a.length;
  if (n === 0) return { n, raw: null, kappa: null };
  let observed = 0;
  let alike = 0;
  for (let i = 0; i < n; i++) {
    observed += disagreement(a[i]!, b[i]!);
    alike += Number(a[i] === b[i]);
  }
  const expected = chanceDisagreement(a, b, disagreement);
  return { n, raw: alike / n, kappa: expected === 0 ? null : 1 - observed / expected };
}

/** The disagreement of n pairs drawn from both raters' ratings at random. */
function chanceDisagreement<Rating>(
  a: readonly Rating[],
  b: readonly Rating[],
  disagreement: Disagreement<Rating>,
): number {
  let total = 0;
  for (const [ratingA, timesA] of counted(a)) {
    for (const [ratingB, timesB] of counted(b)) {
      total += timesA * timesB * disagreement(ratingA, ratingB);
    }
  }
  return total / a.length;
}

function counted<Rating>(ratings: readonly Rating[]): Map<Rating, number> {
  const counts = new Map<Rating, number>();
  for (const rating of ratings) counts.set(rating, (counts.get(rating) ?? 0) + 1);
  return counts;
}
