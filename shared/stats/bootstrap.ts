import { percentile } from "./percentile.ts";
import { forEachResample, resampleCount } from "./resample.ts";

/** The lower and upper end of a 95% interval. */
export type Interval = [low: number, high: number];

/** A figure from the sums of the columns; null where it can't be worked out, as 0/0. */
export type Statistic = (sums: Float64Array) => number | null;

/** What lies between the ends of a 95% interval. */
const tails = [0.025, 0.975] as const;

/**
 * 95% percentile bootstrap intervals of many figures at once, all from the same resamples: a column
 * holds one number a unit (a sample, or the sum over a cluster), a resample sums every column over the
 * drawn units, and each statistic turns those sums into its figure. So a mean is a sum over a count,
 * and a micro metric the ratio of two sums. Null below two units, and for a figure that no resample
 * has. O(resamples · units · columns).
 * Source: Efron 1979; specification of statistics, bootstrap interval.
 * @example bootstrapIntervals([scores, ones], [(sums) => sums[0]! / sums[1]!], "run-1") // [[low, high]]
 */
export function bootstrapIntervals(
  columns: readonly Float64Array[],
  statistics: readonly Statistic[],
  seed: string,
): (Interval | null)[] {
  const units = columns[0]?.length ?? 0;
  if (units < 2) return statistics.map(() => null);
  const drawn = statistics.map(() => new Float64Array(resampleCount));
  const sums = new Float64Array(columns.length);
  forEachResample(units, seed, (times, resample) => {
    sumColumns(columns, times, sums);
    statistics.forEach((statistic, k) => {
      drawn[k]![resample] = statistic(sums) ?? Number.NaN;
    });
  });
  return drawn.map(intervalOf);
}

/**
 * The 95% percentile bootstrap interval of the mean of `values`, in their unit; null below two.
 * Source: specification of statistics, bootstrap interval.
 * @example bootstrapMean([0, 1, 1, 1], "run-1") // [0.25, 1]
 */
export function bootstrapMean(values: ArrayLike<number>, seed: string): Interval | null {
  const column = Float64Array.from(values);
  return bootstrapIntervals([column], [(sums) => sums[0]! / column.length], seed)[0] ?? null;
}

/** Two columns a pass, since each sum waits for its own last addition. */
function sumColumns(columns: readonly Float64Array[], times: Int32Array, sums: Float64Array): void {
  for (let k = 0; k < columns.length; k += 2) {
    const a = columns[k]!;
    const b = columns[k + 1] ?? a;
    let sumA = 0;
    let sumB = 0;
    for (let i = 0; i < times.length; i++) {
      const t = times[i]!;
      sumA += t * a[i]!;
      sumB += t * b[i]!;
    }
    sums[k] = sumA;
    if (k + 1 < columns.length) sums[k + 1] = sumB;
  }
}

/** The interval of drawn figures; those that are no number are left out, null when all are. */
export function intervalOf(drawn: Float64Array): Interval | null {
  const sorted = drawn.filter((value) => !Number.isNaN(value)).sort();
  const low = percentile(sorted, tails[0]);
  const high = percentile(sorted, tails[1]);
  return low === null || high === null ? null : [low, high];
}
