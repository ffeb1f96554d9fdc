import { type Correlation, pearson } from "./pearson.ts";

/** Values closer than this are equal, because the last digit of a mean depends on the order of its values. */
const ROUNDING = 1e-12;

/**
 * Ranks, 1 for the smallest; equal values share the mean of their ranks. O(n log n).
 * @example averageRanks([10, 30, 10]) // [1.5, 3, 1.5]
 */
export function averageRanks(values: readonly number[]): number[] {
  const ranks = new Array<number>(values.length);
  let before = 0;
  for (const group of equalGroups(values)) {
    for (const i of group) ranks[i] = before + (group.length + 1) / 2;
    before += group.length;
  }
  return ranks;
}

/**
 * Indexes of values that are equal but for rounding errors, smallest value first. O(n log n).
 * @example equalGroups([10, 30, 10]) // [[0, 2], [1]]
 */
export function equalGroups(values: readonly number[]): number[][] {
  const order = [...values.keys()].sort((a, b) => values[a]! - values[b]! || a - b);
  const groups: number[][] = [];
  order.forEach((i, place) => {
    const isEqual = place > 0 && values[i]! - values[order[place - 1]!]! <= ROUNDING;
    if (isEqual) groups.at(-1)!.push(i);
    else groups.push([i]);
  });
  return groups;
}

/**
 * Spearman's rank correlation of pairs with its two-sided p (t-test with n − 2 degrees of freedom): Pearson's
 * correlation of average ranks. Null for fewer than three pairs, or if a side has no variance. O(n log n).
 * Source: Spearman 1904; docs/spec/quality.md, validation.
 * @example spearman([1, 2, 3], [1, 8, 27]) // { r: 1, p: 0, n: 3 }
 */
export function spearman(x: readonly number[], y: readonly number[]): Correlation {
  return pearson(averageRanks(x), averageRanks(y));
}
