import type { Metric } from "../../contracts/metric.ts";
import type { Interval } from "../../stats/bootstrap/bootstrap.ts";
import type { Statistic } from "../../stats/bootstrap/statistics.ts";
import { equalInterval, rateInterval } from "../../stats/significance/rate-interval.ts";
import type { RunBasis } from "./run-basis.ts";

/** Smallest and largest value by unit; other units are unbounded. */
const boundsOf: Partial<Record<Metric["unit"], readonly [number, number]>> = {
  ratio: [0, 1],
  level: [1, 5],
};

/** A figure of a run with the interval from its resamples. */
interface Drawn {
  value: number | null;
  statistic: Statistic;
  interval: Interval | null;
  n: number;
}

/**
 * The 95% interval of a figure: Wilson's if the figure is the mean of samples that are each 0 or 1, else from the
 * resamples. If all resamples are equal, a bounded figure always has the interval of equal values; any other figure has
 * none, except with 1,000 samples or more. Linear in the samples.
 * Source: docs/spec/statistics.md, bootstrap interval.
 * @example intervalOf(basis, "ratio", { value: 1, statistic, interval: [1, 1], n: 15 }) // [0.796, 1]
 */
export function intervalOf(
  basis: Pick<RunBasis, "values" | "unitOf" | "units">,
  unit: Metric["unit"],
  { value, statistic, interval, n }: Drawn,
): Interval | null {
  if (value === null || interval === null) return null;
  // Levels that are all 1 and totals of 0 are not rates.
  const rate = unit === "ratio" ? rateByUnit(basis, statistic, value) : null;
  if (rate !== null) return rateInterval(rate);
  const bounds = boundsOf[unit];
  const { kind, count } = basis.units;
  // A thousand samples from few sources are only as informative as these sources.
  if (bounds === undefined)
    return uncertain(interval, kind === "clusters" ? Math.min(n, count) : n);
  return isSpread(interval) ? interval : equalInterval(value, Math.min(n, count), bounds);
}

/**
 * Whether resamples differ, so that their interval has a width.
 * @example isSpread([0, 0]) // false
 */
export const isSpread = ([low, high]: Interval): boolean => high - low > EQUAL;

/**
 * An interval from resamples; null if all are equal and there are fewer than 1,000 samples, too few to be certain.
 * @example uncertain([500, 500], 12) // null
 */
export const uncertain = (interval: Interval | null, n: number): Interval | null =>
  interval !== null && !isSpread(interval) && n < MANY ? null : interval;

/**
 * The interval of a share of a part of a run: from its resamples, or from `n` equal values if all resamples are equal.
 * @example shareInterval([1, 1], 1, 30) // [0.886, 1]
 */
export const shareInterval = (
  interval: Interval | null,
  value: number | null,
  n: number,
): Interval | null =>
  value === null || interval === null || isSpread(interval)
    ? interval
    : equalInterval(value, n, [0, 1]);

/** A difference this small is rounding error. */
const EQUAL = 1e-12;
/** With at least this number of samples, equal values count as certain. */
const MANY = 1_000;

/** By unit, the number of samples with the figure, and of those with value 1; null if one is neither 0 nor 1. */
function rateByUnit(
  { values, unitOf, units }: Pick<RunBasis, "values" | "unitOf" | "units">,
  statistic: Statistic,
  value: number,
) {
  if (values === null || unitOf === null) return null;
  const [hits, items] = [new Float64Array(units.count), new Float64Array(units.count)];
  let [all, measured] = [0, 0];
  const sums = new Float64Array(values[0]?.length ?? 0);
  for (const [i, its] of values.entries()) {
    sums.set(its);
    const one = statistic(sums);
    if (one === null) continue;
    if (one !== 0 && one !== 1) return null;
    hits[unitOf[i]!]! += one;
    items[unitOf[i]!]! += 1;
    all += one;
    measured += 1;
  }
  return measured > 0 && Math.abs(all / measured - value) <= EQUAL ? { hits, items } : null;
}
