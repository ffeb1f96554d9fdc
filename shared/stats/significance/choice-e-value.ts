/** Values of one unit, such as its scores in several runs: those before a possible change, then those after it. */
export type UnitHistory = ArrayLike<number>;

/** Shares of the units that a bet expects to have changed; 1: all. */
const SPARSE = [0.1, 0.4] as const;
/** Directions with their shares of the stake; a fall gets more, because it must not be missed. */
const DIRECTIONS = [
  { sign: -1, stake: 0.8 },
  { sign: 1, stake: 0.2 },
] as const;
/** Bets on all units together: strengths in standard errors of their weighted sum, and shares of the stake. */
const DENSE = [
  { strength: 3.5, stake: 0.75 },
  { strength: 8, stake: 0.1 },
] as const;
/** Share of the stake for bets on single units. */
const ALONE = 0.15;
/** Strength of a bet on a single unit, in standard deviations of its sum. */
const SINGLE = 3;

/** The bet with most of the stake: all units fell together. */
export const largestBet = {
  strength: DENSE[0].strength,
  stake: DIRECTIONS[0].stake * DENSE[0].stake,
} as const;

/** Cap of the reported evidence: JSON has no infinity. A capped e-value is still an e-value. */
const MOST = 1e9;

/**
 * An e-value against the hypothesis that units are independent and that the values of each are exchangeable, so that
 * the last `since` of them are a random choice. Under this hypothesis its expectation is 1 for any sizes and
 * distributions, so it reaches 1/α with probability at most α (Markov). 1 if no unit has two different values, at most
 * 1e9.
 *
 * It is the wealth of a gambler who knows every unit's values, but not which came last, and bets on the sum S of the
 * last ones: a bet exp(θS) costs its mean over all choices of `since` values, an elementary symmetric polynomial. Most
 * of the stake is on all units together; units that vary little weigh up to twice as much as a typical one. The rest is
 * on each unit alone, with its own θ, and expects only a share ε of the units to have changed: 1 − ε + ε · exp(θS) /
 * mean. Each bet is made in both directions, with four fifths of the stake on a fall. O(units · values · since).
 * Source: Vovk and Wang 2021, E-values; Ramdas and others 2023, Game-theoretic statistics and safe anytime-valid inference
 * (permutation e-values, mixtures of bets).
 * @example choiceEValue([[1, 1, 0], [1, 1, 0]], 1) // 6.3
 */
export function choiceEValue(units: readonly UnitHistory[], since: number): number {
  const varying = units.filter(varies);
  if (varying.length === 0) return 1;
  const deviations = varying.map((unit) => deviationOfSum(unit, since));
  const variances = deviations.map((one) => one ** 2);
  const usual = variances.reduce((sum, one) => sum + one, 0) / variances.length;
  const weights = variances.map((one) => usual / (one + usual));
  const whole = Math.sqrt(variances.reduce((sum, one, i) => sum + weights[i]! ** 2 * one, 0));
  const room = new Float64Array(since + 1);
  let wealth = 0;
  for (const { sign, stake } of DIRECTIONS) {
    for (const { strength, stake: its } of DENSE) {
      const theta = (sign * strength) / whole;
      const gains = varying.map((unit, i) => gain(unit, since, theta * weights[i]!, room));
      wealth += stake * its * Math.exp(gains.reduce((sum, one) => sum + one, 0));
    }
    const alone = varying.map((unit, i) =>
      Math.exp(gain(unit, since, (sign * SINGLE) / deviations[i]!, room)),
    );
    for (const share of SPARSE) {
      const logs = alone.reduce((sum, ratio) => sum + Math.log(1 - share + share * ratio), 0);
      wealth += ((stake * ALONE) / SPARSE.length) * Math.exp(logs);
    }
  }
  return Math.min(MOST, wealth);
}

function varies(unit: UnitHistory): boolean {
  for (let i = 0; i < unit.length; i++) if (unit[i] !== unit[0]) return true;
  return false;
}

/** Standard deviation of the sum of `since` values chosen without replacement. */
function deviationOfSum(unit: UnitHistory, since: number): number {
  const n = unit.length;
  let [sum, squares] = [0, 0];
  for (let i = 0; i < n; i++) sum += unit[i]!;
  const mean = sum / n;
  for (let i = 0; i < n; i++) squares += (unit[i]! - mean) ** 2;
  return Math.sqrt((squares * since * (n - since)) / (n * (n - 1)));
}

/** log of exp(θS) over its mean; S is the sum of the last `since` values; `sums` has room for `since` + 1 numbers. */
function gain(unit: UnitHistory, since: number, theta: number, sums: Float64Array): number {
  const n = unit.length;
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < n; i++) most = Math.max(most, theta * unit[i]!);
  // sums[k]: the mean product of exp(θ · value − most) over all choices of k of the values so far.
  sums.fill(0);
  sums[0] = 1;
  let last = 0;
  for (let i = 0; i < n; i++) {
    const exponent = theta * unit[i]! - most;
    if (i >= n - since) last += exponent;
    const factor = exponent === 0 ? 1 : Math.exp(exponent);
    // Smaller choices can't grow to `since` values any more.
    const fewest = Math.max(1, since - (n - 1 - i));
    // Of all choices of k among i + 1 values, a share of k / (i + 1) contains the new value.
    for (let k = Math.min(since, i + 1); k >= fewest; k--) {
      const share = k / (i + 1);
      sums[k] = (1 - share) * sums[k]! + share * factor * sums[k - 1]!;
    }
  }
  return last - Math.log(sums[since]!);
}
