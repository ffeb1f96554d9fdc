import { choiceEValue } from "../../stats/significance/choice-e-value.ts";
import { atLeast } from "../report/figures/tier.ts";
import { scoresByUnit } from "./table-scores.ts";

/** Evidence from which a drift is flagged. */
const flaggedFrom = 20;
/** Smallest |difference| that is flagged; smaller ones don't matter in practice. */
export const leastDifference = 0.01;
/** Maximum number of runs compared at each end of a history. */
export const mostAtOneEnd = 8;

/** Possible numbers of changed last runs, each with its share of the stake. */
const SINCE = [
  { runs: 1, stake: 0.15 },
  { runs: 2, stake: 0.1 },
  { runs: 3, stake: 0.1 },
  { runs: 5, stake: 0.6 },
  { runs: 8, stake: 0.05 },
] as const;

/**
 * Stakes on a change at each of the first re-evaluations, and at any later one; those of the first 20 sum to 1. The
 * fewer runs precede a change, the less evidence it leaves, and the larger its stake. The very first re-evaluations
 * have small stakes, because only a large change can be detected there at any stake.
 */
const EARLY = [0.06, 0.1, 0.34, 0.12, 0.08];
const LATER = 0.02;

/** The stake on a change at a re-evaluation (from 1). */
const stakeAt = (rerun: number): number => EARLY[rerun - 1] ?? LATER;

/**
 * The e-value of a change in the last `since` runs that flags it at a re-evaluation (from 1).
 * @example neededOf(3, 5) // 98.0
 */
export const neededOf = (rerun: number, since: (typeof SINCE)[number]["runs"]): number =>
  flaggedFrom / (stakeAt(rerun) * SINCE.find(({ runs }) => runs === since)!.stake);

/**
 * Evidence against "nothing changed" from runs in order of time, the reference first and the newest last; of more than
 * 16 runs, the first eight and the last eight. `runs` has each run's score by sample (the same indexes in all, NaN
 * without a score). Samples with the same `unitOf` share a source: they are one unit, and their scores are added. 0
 * without common samples or for one run.
 *
 * "Nothing changed" means that in each unit the scores of the runs are exchangeable, and that units are independent.
 * This holds for a deterministic model and for one that samples; units may differ in difficulty in any way. A change may
 * have come with any of the last 1, 2, 3, 5 or 8 runs, each compared with at most eight first runs; the e-values of
 * these are added, each weighted by the stake on it. Stakes don't fall from the sixth re-evaluation on, so a change at
 * the hundredth is found as soon as one at the tenth. Without a change, at most one of twenty series of 20 re-evaluations
 * reaches 20 (Markov and Bonferroni: the stakes on them are 1), and later at most one of 1,000 re-evaluations. Whatever
 * affects a whole run at once, such as an endpoint overloaded for an hour, counts as a change. O(samples · runs).
 * Source: Shin, Ramdas and Rinaldo 2023, E-detectors; docs/spec/statistics.md, drift.
 * @example driftEvidence([Float64Array.of(1, 1), Float64Array.of(1, 1)]) // 0.009
 */
export const driftEvidence = (runs: readonly Float64Array[], unitOf?: ArrayLike<number>): number =>
  possibleChanges(runs, unitOf).reduce((sum, { evidence }) => sum + evidence, 0);

/** A possible change in the last `since` runs, and the evidence of it. */
interface PossibleChange {
  since: number;
  evidence: number;
}

/**
 * The evidence of a change for each number of last runs; its sum is `driftEvidence`. Empty without common samples.
 * @example possibleChanges([Float64Array.of(1, 1), Float64Array.of(1, 1)]) // [{ since: 1, evidence: 0.009 }]
 */
export function possibleChanges(
  runs: readonly Float64Array[],
  unitOf?: ArrayLike<number>,
): PossibleChange[] {
  const { units, samples } = scoresByUnit(runs, unitOf);
  if (samples === 0) return [];
  return stakedChanges(runs.length, (since) => {
    const at = runs.length - since;
    const first = Math.min(mostAtOneEnd, at);
    const compared = units.map((scores) => scores.slice(0, first).concat(scores.slice(at)));
    return choiceEValue(compared, since);
  });
}

/**
 * The evidence of a change for each number of last runs out of `count`: the e-value from `eValueOf` times its stake.
 * Without a change the sum reaches 20 as rarely as `driftEvidence` states.
 * @example stakedChanges(2, () => 1) // [{ since: 1, evidence: 0.009 }]
 */
export const stakedChanges = (
  count: number,
  eValueOf: (since: number) => number,
): PossibleChange[] =>
  SINCE.filter((since) => since.runs < count).map(({ runs: since, stake }) => ({
    since,
    evidence: stakeAt(count - since) * stake * eValueOf(since),
  }));

/**
 * Whether a re-evaluation is a drift.
 * @example isDrift(25, -0.04) // true
 */
export const isDrift = (evidence: number, difference: number): boolean =>
  evidence >= flaggedFrom && atLeast(Math.abs(difference), leastDifference);
