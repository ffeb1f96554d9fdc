import { choiceEValue } from "../../stats/significance/choice-e-value.ts";
import { atLeast } from "../report/figures/tier.ts";
import { scoresByUnit } from "./table-scores.ts";

/** Evidence at which a drift is flagged. */
const flaggedFrom = 20;
/** Smallest |difference| that is flagged; smaller ones don't matter in practice. */
export const leastDifference = 0.01;
/** Largest number of runs compared at each end. */
export const mostAtOneEnd = 8;

/** Numbers of last runs that may have changed, and how much of the stake on a change each gets. */
const SINCE = [
  { runs: 1, stake: 0.15 },
  { runs: 2, stake: 0.1 },
  { runs: 3, stake: 0.1 },
  { runs: 5, stake: 0.6 },
  { runs: 8, stake: 0.05 },
] as const;

/**
 * Stakes on a change at each of the first re-evaluations, and at any later one: 1 in all for the first 20. The fewer runs
 * came before a change, the less evidence it can leave, and the larger its stake; at the very first, only a large one is
 * found at any stake.
 */
const EARLY = [0.06, 0.1, 0.34, 0.12, 0.08];
const LATER = 0.02;

/** The stake on a change at a re-evaluation, counted from 1. */
const stakeAt = (rerun: number): number => EARLY[rerun - 1] ?? LATER;

/**
 * The e-value of a change at a re-evaluation, counted from 1, that flags it when so many runs have changed.
 * @example neededOf(3, 5) // 98.0
 */
export const neededOf = (rerun: number, since: (typeof SINCE)[number]["runs"]): number =>
  flaggedFrom / (stakeAt(rerun) * SINCE.find(({ runs }) => runs === since)!.stake);

/**
 * Evidence against "nothing changed" from runs in order of time, the reference first and the newest last; of more than 16
 * runs, the first eight and the last eight. `runs` has each run's score by sample (the same indexes in all, NaN for no
 * score). `unitOf` says which samples share a source: these are one unit, and their scores are added. 0 without common
 * samples or for one run.
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

/** A change that may have come with so many last runs, and the evidence of it. */
interface PossibleChange {
  since: number;
  evidence: number;
}

/**
 * The evidence of a change with each number of last runs, which adds up to `driftEvidence`; empty without common samples.
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
 * The evidence of a change with each number of last runs, each an e-value of `eValueOf` weighted by the stake on it, of
 * `count` runs in all. Without a change the sum exceeds 20 as rarely as `driftEvidence` says.
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
