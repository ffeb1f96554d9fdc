import { type Interval, intervalOf } from "./bootstrap.ts";
import { forEachResample, resampleCount } from "./resample.ts";

/** A measured value and the unit (sample or cluster, from 0) it is resampled with. */
export interface UnitValue {
  value: number;
  unit: number;
}

/**
 * 95% percentile bootstrap intervals of percentiles (type 7) of `values`, in their unit, resampled by
 * unit: the shares `qs` are 0–1. Null below two units. O(resamples · values) for each share.
 * Source: specification of statistics, percentile and bootstrap interval.
 * @example bootstrapPercentiles([{ value: 3, unit: 0 }, { value: 5, unit: 1 }], 2, [0.5], "run-1")
 */
export function bootstrapPercentiles(
  values: readonly UnitValue[],
  units: number,
  qs: readonly number[],
  seed: string,
): (Interval | null)[] {
  if (units < 2) return qs.map(() => null);
  const ordered = values.toSorted((a, b) => a.value - b.value);
  const sorted = Float64Array.from(ordered, (one) => one.value);
  const unitOf = Int32Array.from(ordered, (one) => one.unit);
  const drawn = qs.map(() => new Float64Array(resampleCount));
  forEachResample(units, seed, (times, resample) => {
    let total = 0;
    for (const unit of unitOf) total += times[unit]!;
    qs.forEach((q, k) => {
      drawn[k]![resample] = weightedPercentile(sorted, unitOf, times, (total - 1) * q);
    });
  });
  return drawn.map(intervalOf);
}

/** The value at `rank` (from 0, with a fraction) when each is there as often as its unit was drawn. */
function weightedPercentile(
  sorted: Float64Array,
  unitOf: Int32Array,
  times: Int32Array,
  rank: number,
): number {
  if (rank < 0) return Number.NaN;
  const below = Math.floor(rank);
  let passed = 0;
  let low = Number.NaN;
  for (let i = 0; i < sorted.length; i++) {
    passed += times[unitOf[i]!]!;
    if (Number.isNaN(low) && passed > below) low = sorted[i]!;
    if (passed > below + 1) return low + (sorted[i]! - low) * (rank - below);
  }
  return low;
}
