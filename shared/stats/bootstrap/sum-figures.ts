import type { Figures } from "./bootstrap.ts";
import { columnSums } from "./column-sums.ts";
import type { Statistics } from "./statistics.ts";

/**
 * Figures that follow from sums: a column holds one number a unit (a sample, or the sum over a
 * cluster), a resample sums every column over the drawn units, and the statistics turn those sums
 * into figures. So a mean is a sum over a count, and a micro metric the ratio of two sums.
 * O(units · columns) a resample, whole-number columns sharing passes.
 * Source: docs/spec/statistics.md, bootstrap interval.
 * @example sumFigures([scores, ones], ratiosOf([[0, 1]]))
 */
export function sumFigures(columns: readonly Float64Array[], statistics: Statistics): Figures {
  const sumsOf = columnSums(columns);
  const { count } = statistics;
  return {
    count,
    evaluate(batch, into) {
      const sums = sumsOf(batch);
      for (let r = 0; r < sums.length; r++) statistics.write(sums[r]!, into, r * count);
    },
  };
}
