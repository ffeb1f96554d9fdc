/** Evidence at which a drift is flagged: the probability of ever raising a false alarm is then at most 1/20. */
const flaggedFrom = 20;

/** Smallest |difference| that is flagged; smaller ones don't matter in practice. */
export const leastDifference = 0.01;

/**
 * Adds a re-evaluation to the e-process that compares a model with one reference run; it is the `rerun`-th (from 1)
 * since that reference. `stepEValue` is an e-value of this re-evaluation alone.
 *
 * Evidence after K re-evaluations is Σ e(k) / (k(k+1)) over k = 1 … K. It starts at 0 and never decreases. The
 * weights sum to 1 over all future re-evaluations, so the whole sum has an expectation of at most 1 for any
 * dependence between its terms. The probability that it ever reaches 20, at whatever times it is checked, is
 * therefore at most 1/20 (Markov). A product of e-values would not be an e-process here: all re-evaluations are
 * compared with one reference and share its random error, so given the reference their differences don't have mean 0
 * even if nothing changed. The weights are the price of waiting: a change at re-evaluation k needs an e-value of
 * 20·k(k+1) to be flagged at once.
 *
 * Source: Vovk and Wang 2021, E-values: calibration, combination and applications (weighted means are the
 * admissible way to merge e-values of any dependence); docs/spec/statistics.md, drift.
 * @example driftEvidence(0, 1, 50) // 25
 */
export function driftEvidence(before: number, rerun: number, stepEValue: number): number {
  return before + stepEValue / (rerun * (rerun + 1));
}

/**
 * Whether a re-evaluation is a drift.
 * @example isDrift(25, -0.04) // true
 */
export const isDrift = (evidence: number, difference: number): boolean =>
  evidence >= flaggedFrom && Math.abs(difference) >= leastDifference;
