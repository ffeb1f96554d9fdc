/** Evidence at which a drift is flagged. */
const flaggedFrom = 20;

/** Re-evaluations in a row of which at most one in twenty series without a change has a false alarm. */
const SERIES = 20;

/** Smallest |difference| that is flagged; smaller ones don't matter in practice. */
export const leastDifference = 0.01;

/**
 * Evidence of a change from the e-value of one re-evaluation: a twentieth of it. It reaches 20 with a probability of at
 * most 1/400 (Markov) if nothing changed, so that at most one of twenty series of 20 re-evaluations has a false alarm,
 * and one of 400 re-evaluations on average, however many there are. Each re-evaluation is tested anew
 * against all of its last runs, so that a change at the hundredth is found as soon as one at the third; evidence that
 * holds for ever has to become rarer with time.
 *
 * Source: Shin, Ramdas and Rinaldo 2023, E-detectors (a bound on the frequency of false alarms); Bonferroni;
 * docs/spec/statistics.md, drift.
 * @example driftEvidence(500) // 25
 */
export const driftEvidence = (stepEValue: number): number => stepEValue / SERIES;

/**
 * Whether a re-evaluation is a drift.
 * @example isDrift(25, -0.04) // true
 */
export const isDrift = (evidence: number, difference: number): boolean =>
  evidence >= flaggedFrom && Math.abs(difference) >= leastDifference;
