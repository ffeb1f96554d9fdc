/** Strengths of bets in standard errors of the sum; each bet gains most for a change of that size. */
const strengths = [1, 2, 3, 4, 6, 8] as const;

/** Cap of the reported evidence: JSON has no infinity. A capped e-value is still an e-value. */
const most = 1e9;

/**
 * An e-value against the hypothesis that `differences` are independent and each symmetric about 0, as the difference
 * of two exchangeable scores is. Under the hypothesis its expectation is 1, for any sizes and distributions, so it
 * reaches 1/α with probability at most α (Markov). Close to 0 without evidence, 1 if all differences are 0, at most
 * 1e9, and at most 2^(number of non-zero differences).
 *
 * It is the wealth of a gambler who bets on each difference in turn. Given the sizes |d|, the signs are tosses of a
 * fair coin. A stake tanh(λd) is odd in d and within (−1, 1), so 1 + tanh(λd) = exp(λd) / cosh(λd) has mean 1 for any
 * λ that depends only on the sizes. Here λ = ±c / √Σd² for a few c, and the wealth is the mean over these bets; a
 * mixture of e-values is an e-value. It does not depend on the order of the differences. O(n).
 *
 * Source: Vovk and Wang 2024, Nonparametric e-tests of symmetry (Fisher-type e-test); Waudby-Smith and Ramdas
 * 2024, Estimating means of bounded random variables by betting (wealth, mixtures over bets).
 * @example symmetryEValue([0, 0, 0]) // 1
 */
export function symmetryEValue(differences: ArrayLike<number>): number {
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < differences.length; i++) {
    sum += differences[i]!;
    squares += differences[i]! ** 2;
  }
  if (squares === 0) return 1;
  let wealth = 0;
  for (const strength of strengths) {
    const stake = strength / Math.sqrt(squares);
    const price = sumOfLogCosh(differences, stake);
    wealth += Math.exp(stake * sum - price) + Math.exp(-stake * sum - price);
  }
  return Math.min(most, wealth / (2 * strengths.length));
}

/** Σ ln cosh(stake · d), without overflow for large arguments. */
function sumOfLogCosh(differences: ArrayLike<number>, stake: number): number {
  let sum = 0;
  for (let i = 0; i < differences.length; i++) {
    const size = Math.abs(stake * differences[i]!);
    if (size > 0) sum += size + Math.log1p(Math.exp(-2 * size)) - Math.LN2;
  }
  return sum;
}
