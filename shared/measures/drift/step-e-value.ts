import { choiceEValue } from "../../stats/significance/choice-e-value.ts";
import { scoresByUnit } from "./table-scores.ts";

/** Numbers of last runs that may have changed, and the share of the stake on each. */
const SINCE = [
  { runs: 1, stake: 0.15 },
  { runs: 2, stake: 0.15 },
  { runs: 3, stake: 0.2 },
  { runs: 5, stake: 0.4 },
  { runs: 8, stake: 0.1 },
] as const;

/** Largest number of runs compared at each end. */
export const mostAtOneEnd = 8;

/**
 * An e-value against "nothing changed" from runs in order of time, the reference first and the newest last. `runs`
 * has each run's score by sample (the same indexes in all, NaN for no score). `unitOf` says which samples share a
 * source: these are one unit, and their scores are added. 1 without common samples.
 *
 * "Nothing changed" means that in each unit the scores of the runs are exchangeable, and that units are independent.
 * This holds for a deterministic model and for one that samples; units may differ in difficulty in any way. A change
 * may have come with any of the last runs: the e-values of the last 1, 2, 3, 5 and 8 runs, each against up to eight
 * first runs, are averaged; a mean of e-values is an e-value under any dependence. Whatever affects a whole run at once,
 * such as an endpoint overloaded for an hour, counts as a change. O(samples · runs).
 * @example stepEValue([Float64Array.of(1, 1), Float64Array.of(1, 1)]) // 1
 */
export function stepEValue(runs: readonly Float64Array[], unitOf?: ArrayLike<number>): number {
  const possible = SINCE.filter((since) => since.runs < runs.length);
  const whole = possible.reduce((sum, { stake }) => sum + stake, 0);
  if (possible.length === 0) return 1;
  return possible.reduce((sum, since) => {
    const before = Math.min(mostAtOneEnd, runs.length - since.runs);
    const both = [...runs.slice(0, before), ...runs.slice(-since.runs)];
    return sum + (since.stake / whole) * choiceEValue(scoresByUnit(both, unitOf).units, since.runs);
  }, 0);
}
