import type { Figures } from "./bootstrap.ts";

/** A measured value and the unit (sample or cluster, from 0) it is resampled with. */
export interface UnitValue {
  value: number;
  unit: number;
}

/**
 * Percentiles (type 7) of `values` as figures of a bootstrap, in their unit; `shares` are 0–1 and
 * ascending. A resample without values has none. O(values) a resample.
 * Source: specification of statistics, percentile and bootstrap interval.
 * @example percentileFigures([{ value: 3, unit: 0 }, { value: 5, unit: 1 }], [0.5, 0.95])
 */
export function percentileFigures(
  values: readonly UnitValue[],
  shares: readonly number[],
): Figures {
  const ordered = values.toSorted((a, b) => a.value - b.value);
  const sorted = Float64Array.from(ordered, (one) => one.value);
  const unitOf = Int32Array.from(ordered, (one) => one.unit);
  return {
    count: shares.length,
    evaluate(times, into) {
      let total = 0;
      for (let i = 0; i < unitOf.length; i++) total += times[unitOf[i]!]!;
      const cursor = { next: 0, passed: 0 };
      shares.forEach((share, k) => {
        const rank = (total - 1) * share;
        const low = valueAt(Math.floor(rank), sorted, unitOf, times, cursor);
        const high = valueAt(Math.ceil(rank), sorted, unitOf, times, { ...cursor });
        into[k] = total === 0 ? Number.NaN : low + (high - low) * (rank - Math.floor(rank));
      });
    },
  };
}

/** The value of rank `rank` from 0, each value there as often as its unit was drawn; moves on only. */
function valueAt(
  rank: number,
  sorted: Float64Array,
  unitOf: Int32Array,
  times: Int32Array,
  cursor: { next: number; passed: number },
): number {
  let { next, passed } = cursor;
  while (next < sorted.length && passed <= rank) passed += times[unitOf[next++]!]!;
  cursor.next = next;
  cursor.passed = passed;
  return sorted[next - 1] ?? Number.NaN;
}
