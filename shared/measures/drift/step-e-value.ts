import { mean } from "../../stats/significance/moments.ts";
import { symmetryEValue } from "../../stats/significance/symmetry-e-value.ts";

/**
 * Numbers of runs compared at each end, if there are at least twice as many runs. One run against the reference
 * detects a large change at once; more runs detect a small permanent change.
 */
const blocks = [1, 2, 4, 8] as const;

/** Largest number of runs compared at each end. */
export const mostAtOneEnd = 8;

/**
 * An e-value against "nothing changed" from runs in order of time, the reference first and the newest last. `runs`
 * has each run's score by sample (the same indexes in all, NaN for no score). `unitOf` says which samples share a
 * source: these are one unit, and their differences are added. 1 without common samples.
 *
 * "Nothing changed" means that in each unit the scores of the runs are exchangeable, and that units are independent.
 * This holds for a deterministic model and for one that samples; units may differ in difficulty in any way. Then the
 * first m runs and the last m can be swapped unit by unit, so the difference of their means is symmetric about 0 and
 * `symmetryEValue` is valid. The e-values of several m are averaged: a mean of e-values is an e-value under any
 * dependence. Whatever affects a whole run at once, such as an endpoint overloaded for an hour, counts as a change.
 * O(samples · runs).
 * @example stepEValue([Float64Array.of(1, 1), Float64Array.of(1, 1)]) // 1
 */
export function stepEValue(runs: readonly Float64Array[], unitOf?: ArrayLike<number>): number {
  const sizes = blocks.filter((size) => 2 * size <= runs.length);
  if (sizes.length === 0) return 1;
  return mean(
    sizes.map((size) => symmetryEValue(byUnit(change(runs, size), unitOf ?? own(runs[0]!)))),
  );
}

const own = (scores: Float64Array): ArrayLike<number> => scores.map((_, i) => i);

/** By sample, mean of the last runs − mean of the first; NaN if one of them has no score. */
function change(runs: readonly Float64Array[], size: number): Float64Array {
  const found = new Float64Array(runs[0]?.length ?? 0);
  const add = (scores: Float64Array, share: number) => {
    for (let i = 0; i < found.length; i++) found[i]! += share * scores[i]!;
  };
  for (const scores of runs.slice(-size)) add(scores, 1 / size);
  for (const scores of runs.slice(0, size)) add(scores, -1 / size);
  return found;
}

function byUnit(differences: Float64Array, unitOf: ArrayLike<number>): number[] {
  const sums = new Map<number, number>();
  differences.forEach((difference, i) => {
    if (Number.isNaN(difference)) return;
    sums.set(unitOf[i]!, (sums.get(unitOf[i]!) ?? 0) + difference);
  });
  return [...sums.values()];
}
