/** Evidence from which on a drift is flagged: 1/20 is the chance of a false alarm, ever. */
const flaggedFrom = 20;

/** Least |difference| that is flagged: less is of no use to anybody. */
export const leastDifference = 0.01;

/**
 * What a re-evaluation adds to the e-process that watches a model against one reference run, the `rerun`-th
 * (from 1) since that reference; `stepEValue` is an e-value of that re-evaluation alone.
 *
 * Evidence after K re-evaluations is Σ e(k) / (k(k+1)) over k = 1 … K. It starts at 0 and never falls, and
 * the weights add up to 1 over all re-evaluations to come, so that the whole sum has an expectation of at
 * most 1 whatever the dependence between its terms. So the chance that it ever reaches 20, whenever somebody
 * looks, is at most 1/20 (Markov). That matters here: all re-evaluations are compared with one reference,
 * whose luck they share, so that given the reference their differences don't have mean 0 although nothing
 * changed, and a product of wealth over re-evaluations would be no e-process. A weight is what the waiting
 * costs: a change at re-evaluation k wants 20·k(k+1) of evidence at once.
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
