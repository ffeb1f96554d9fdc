import type { Metric } from "../../contracts/metric.ts";
import type { Interval } from "../../stats/bootstrap/bootstrap.ts";
import type { Statistic } from "../../stats/bootstrap/statistics.ts";
import { equalInterval, rateInterval } from "../../stats/significance/rate-interval.ts";
import type { RunBasis } from "./run-basis.ts";

/** Smallest and largest value by unit; a unit that is left out has none. */
const boundsOf: Partial<Record<Metric["unit"], readonly [number, number]>> = {
  ratio: [0, 1],
  level: [1, 5],
};

/** A figure of a run, with the interval of its resamples. */
interface Drawn {
  value: number | null;
  statistic: Statistic;
  interval: Interval | null;
  n: number;
}

/**
 * The 95% interval of a figure: Wilson's if the figure is the mean of samples that are each 0 or 1, else that of the
 * resamples. If all resamples are equal, a figure with bounds has the interval of equal values, however many there are;
 * any other none, except with 1,000 samples or more. Linear in the samples.
 * Source: docs/spec/statistics.md, bootstrap interval.
 * @example intervalOf(basis, "ratio", { value: 1, statistic, interval: [1, 1], n: 15 }) // [0.796, 1]
 */
export function intervalOf(
  basis: Pick<RunBasis, "values" | "unitOf" | "units">,
  unit: Metric["unit"],
  { value, statistic, interval, n }: Drawn,
): Interval | null {
  if (value === null || interval === null) return null;
  // Levels that are all 1, and totals of nothing, are no rates.
  const rate = unit === "ratio" ? rateByUnit(basis, statistic, value) : null;
  if (rate !== null) return rateInterval(rate);
  const bounds = boundsOf[unit];
  const { kind, count } = basis.units;
  // A thousand samples of a few sources show no more than these.
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
 * An interval of resamples, or null if they are all equal: with fewer than 1,000 samples that does not mean certainty.
 * @example uncertain([500, 500], 12) // null
 */
export const uncertain = (interval: Interval | null, n: number): Interval | null =>
  interval !== null && !isSpread(interval) && n < MANY ? null : interval;

/**
 * The interval of a share of a part of a run: that of its resamples; if these are all equal, that of `n` equal values.
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
/** From so many samples on, equal values are taken for what they are. */
const MANY = 1_000;

/** The samples that have the figure and those of value 1, by unit; null if one is neither 0 nor 1. */
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
