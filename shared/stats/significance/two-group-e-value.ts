/** Directions with their shares of the stake; a fall gets more, because it must not be missed. */
const DIRECTIONS = [
  { sign: -1, stake: 0.8 },
  { sign: 1, stake: 0.2 },
] as const;
/** Bets on the sum of a group: strengths in its standard errors, and shares of the stake. */
const BETS = [
  { strength: 3.5, stake: 0.8 },
  { strength: 8, stake: 0.2 },
] as const;
const MOST = 1e9;

/**
 * Evidence that two groups of independent values differ, an e-value from 0 to 1e9: if the groups are a random division
 * of the values, its mean is at most 1 for any distribution of the values. Bets on the sum S of the smaller group, in
 * both directions: exp(θS) over its mean for values drawn with replacement, which is not smaller than its mean over
 * random divisions. 1 if a group is empty or no value differs. Linear.
 * Source: Hoeffding 1963, Probability inequalities for sums of bounded random variables, theorem 4; docs/spec/statistics.md,
 * drift.
 * @example twoGroupEValue([0.9, 0.8, 1, 0.9], [0.1, 0.3, 0.2]) // 5.2
 */
export function twoGroupEValue(before: ArrayLike<number>, since: ArrayLike<number>): number {
  const all = [...Array.from(before), ...Array.from(since)];
  const mean = all.reduce((sum, one) => sum + one, 0) / all.length;
  const squares = all.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  if (before.length === 0 || since.length === 0 || squares <= Number.EPSILON) return 1;
  const isSinceSmaller = since.length <= before.length;
  const group = Array.from(isSinceSmaller ? since : before);
  const share = (all.length - group.length) / (all.length - 1);
  const deviation = Math.sqrt((squares / all.length) * group.length * share);
  const sum = group.reduce((total, one) => total + one - mean, 0);
  let wealth = 0;
  for (const { sign, stake } of DIRECTIONS) {
    for (const { strength, stake: part } of BETS) {
      const theta = (sign * (isSinceSmaller ? 1 : -1) * strength) / deviation;
      const usual = Math.log(meanOf(all, (one) => Math.exp(theta * (one - mean))));
      wealth += stake * part * Math.exp(theta * sum - group.length * usual);
    }
  }
  return Math.min(MOST, wealth);
}

const meanOf = (values: readonly number[], of: (value: number) => number): number =>
  values.reduce((sum, one) => sum + of(one), 0) / values.length;
