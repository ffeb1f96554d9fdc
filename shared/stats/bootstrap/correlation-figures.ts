import { roundingShare } from "../correlation/pearson.ts";
import { equalGroups } from "../correlation/spearman.ts";
import type { Figures } from "./bootstrap.ts";

/** Pairs of values, with the unit of resampling of each. */
export interface UnitPairs {
  x: readonly number[];
  y: readonly number[];
  /** Unit of each pair, from 0. */
  unitOf: ArrayLike<number>;
}

/**
 * Pearson's and Spearman's correlation of pairs, in this order, for resamples of their units. Values are sorted once,
 * so a resample takes linear time. NaN for a resample in which one side does not vary. O(n log n) once, then O(n) a
 * resample.
 * Source: docs/spec/statistics.md, bootstrap interval.
 * @example bootstrap(3, "run-1", [correlationFigures({ x, y, unitOf: [0, 1, 2] })])
 */
export function correlationFigures({ x, y, unitOf }: UnitPairs): Figures {
  const n = x.length;
  const sides = [x, y].map((values) => ({
    groups: equalGroups(values),
    ranks: new Float64Array(n),
  })) as [Side, Side];
  const weights = new Float64Array(n);
  return {
    count: 2,
    evaluate(batch, into) {
      let at = 0;
      for (const times of batch) {
        for (let i = 0; i < n; i++) weights[i] = times[unitOf[i]!]!;
        into[at++] = weighted(x, y, weights);
        for (const side of sides) rank(side, weights);
        into[at++] = weighted(sides[0].ranks, sides[1].ranks, weights);
      }
    },
  };
}

interface Side {
  groups: number[][];
  ranks: Float64Array;
}

/** Average ranks; each value counts as often as its weight. */
function rank({ groups, ranks }: Side, weights: Float64Array): void {
  let before = 0;
  for (const group of groups) {
    let total = 0;
    for (const i of group) total += weights[i]!;
    for (const i of group) ranks[i] = before + (total + 1) / 2;
    before += total;
  }
}

function weighted(x: ArrayLike<number>, y: ArrayLike<number>, weights: Float64Array): number {
  let [count, sumX, sumY] = [0, 0, 0];
  for (let i = 0; i < weights.length; i++) {
    const weight = weights[i]!;
    count += weight;
    sumX += weight * x[i]!;
    sumY += weight * y[i]!;
  }
  const [meanX, meanY] = [sumX / count, sumY / count];
  let [xx, yy, xy] = [0, 0, 0];
  for (let i = 0; i < weights.length; i++) {
    const [dx, dy] = [x[i]! - meanX, y[i]! - meanY];
    xx += weights[i]! * dx * dx;
    yy += weights[i]! * dy * dy;
    xy += weights[i]! * dx * dy;
  }
  const varies =
    xx > count * meanX * meanX * roundingShare && yy > count * meanY * meanY * roundingShare;
  return varies ? Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy))) : Number.NaN;
}
