import type { Figures } from "./bootstrap.ts";
import { columnSums } from "./column-sums.ts";
import type { Statistics } from "./statistics.ts";

/** A measured value and its unit of resampling (sample or cluster, from 0). */
export interface UnitValue {
  value: number;
  unit: number;
}

/**
 * Percentiles (type 7) of `values` as figures of a bootstrap of `units` units, in the unit of the values; `shares`
 * are 0–1. Undefined for a resample without values. The number of drawn values below a point shortly before each
 * percentile is summed like a column, so only the few values around the percentile are read one by one. O(values) a
 * resample.
 * Source: docs/spec/statistics.md, percentile and bootstrap interval.
 * @example percentileFigures([{ value: 3, unit: 0 }, { value: 5, unit: 1 }], 2, [0.5, 0.95])
 */
export function percentileFigures(
  values: readonly UnitValue[],
  units: number,
  shares: readonly number[],
): Figures {
  const ordered = values.toSorted((a, b) => a.value - b.value);
  const sorted = Float64Array.from(ordered, (one) => one.value);
  const unitOf = Int32Array.from(ordered, (one) => one.unit);
  const starts = shares.map((share) => placeBefore(share, sorted.length));
  const sumsOf = columnSums(
    [sorted.length, ...starts].map((end) => countBefore(end, unitOf, units)),
  );
  return {
    count: shares.length,
    evaluate(batch, into) {
      sumsOf(batch).forEach((sums, r) => {
        shares.forEach((share, k) => {
          const rank = (sums[0]! - 1) * share;
          const start = { place: starts[k]!, passed: sums[k + 1]! };
          const value =
            sums[0] === 0 ? Number.NaN : valueAt(rank, sorted, unitOf, batch[r]!, start);
          into[r * shares.length + k] = value;
        });
      });
    },
  };
}

/** Five standard deviations below the expected rank of a percentile; resamples rarely fall below. */
function placeBefore(share: number, count: number): number {
  return Math.max(0, Math.floor(count * share - 5 * Math.sqrt(count * share * (1 - share))));
}

/** For each unit, how many of the first `end` values it has. */
function countBefore(end: number, unitOf: Int32Array, units: number): Float64Array {
  const counts = new Float64Array(units);
  for (let i = 0; i < end; i++) counts[unitOf[i]!]!++;
  return counts;
}

/** The drawn value at rank `rank` (from 0), interpolated; each value counts as often as its unit was drawn. */
function valueAt(
  rank: number,
  sorted: Float64Array,
  unitOf: Int32Array,
  times: Float64Array,
  start: { place: number; passed: number },
): number {
  const whole = Math.floor(rank);
  let { place, passed } = start.passed <= whole ? start : { place: 0, passed: 0 };
  while (passed <= whole) passed += times[unitOf[place++]!]!;
  const low = sorted[place - 1]!;
  while (passed <= Math.ceil(rank)) passed += times[unitOf[place++]!]!;
  return low + (sorted[place - 1]! - low) * (rank - whole);
}

/**
 * Figures computed from sums. A column has one number for each unit (a sample, or the sum over a cluster); a resample
 * sums every column over the drawn units; the statistics compute figures from these sums. A mean is a sum over a
 * count, a micro metric the ratio of two sums. O(units · columns) a resample; columns of whole numbers share passes.
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
