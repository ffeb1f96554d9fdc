import { mean } from "../../stats/significance/moments.ts";
import { symmetryEValue } from "../../stats/significance/symmetry-e-value.ts";

/**
 * Numbers of runs at each end that are compared, each if there are twice as many runs: the newest run against
 * the reference finds a large change at once, more of them find a small lasting one.
 */
const blocks = [1, 2, 4, 8] as const;

/** Most runs at each end that are compared. */
export const mostAtOneEnd = 8;

/**
 * An e-value against "nothing changed" from runs in order of time, the reference first and the newest last:
 * by run its score of each sample (same places in all, NaN where it has none). `unitOf` says which samples
 * share a source; such samples are one unit, whose differences are added. 1 where no sample is common.
 *
 * "Nothing changed" means: by unit, the scores of the runs are exchangeable, and units are independent. It
 * holds for a model that always says the same, as for one that samples: how hard a unit is may differ from
 * unit to unit in any way. Then the first m runs and the last m may be swapped unit by unit, so that the
 * difference of their means is symmetric about 0, and `symmetryEValue` holds. Those of several m are
 * averaged: a mean of e-values is one, however they depend on each other. It does not hold for what moves a
 * whole run at once, as an endpoint that was overloaded for an hour: that is a change. O(samples · runs).
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

/** By sample, mean of the last runs − mean of the first; NaN where one of them has no score. */
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
