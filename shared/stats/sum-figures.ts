import type { Figures } from "./bootstrap.ts";
import { columnSums } from "./column-sums.ts";

/** A figure from the sums of the columns; null where it can't be worked out, as 0/0. */
export type Statistic = (sums: Float64Array) => number | null;

/**
 * Figures that follow from sums: a column holds one number a unit (a sample, or the sum over a
 * cluster), a resample sums every column over the drawn units, and each statistic turns those sums
 * into its figure. So a mean is a sum over a count, and a micro metric the ratio of two sums.
 * O(units · columns) a resample, whole-number columns sharing passes.
 * Source: specification of statistics, bootstrap interval.
 * @example sumFigures([scores, ones], [(sums) => sums[0]! / sums[1]!])
 */
export function sumFigures(
  columns: readonly Float64Array[],
  statistics: readonly Statistic[],
): Figures {
  const sumsOf = columnSums(columns);
  return {
    count: statistics.length,
    evaluate(batch, into) {
      let at = 0;
      for (const sums of sumsOf(batch)) {
        for (const statistic of statistics) into[at++] = statistic(sums) ?? Number.NaN;
      }
    },
  };
}
