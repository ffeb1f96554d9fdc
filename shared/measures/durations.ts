import { binnedMean, binnedPercentile, type LogBins } from "../stats/log-bins.ts";
import { percentile } from "../stats/percentile.ts";

/** Times of many calls in ms; figures are null without any. */
export interface Duration {
  n: number;
  mean(): number | null;
  /** Type 7; `share` is 0–1. */
  percentile(share: number): number | null;
}

/** The times of a run's answered calls. */
export interface Durations {
  latency: Duration;
  firstByte: Duration;
  /** Latency − first byte. */
  generation: Duration;
}

/**
 * Times that are all known. O(n log n).
 * @example durationOf([400, 900]).percentile(0.5) // 650
 */
export function durationOf(values: readonly number[]): Duration {
  const sorted = Float64Array.from(values).sort();
  const total = sorted.reduce((sum, value) => sum + value, 0);
  return {
    n: sorted.length,
    mean: () => (sorted.length === 0 ? null : total / sorted.length),
    percentile: (share) => percentile(sorted, share),
  };
}

/**
 * Times that were counted in bins: the mean is exact, percentiles are within 0.1%.
 * @example binnedDuration(bins).percentile(0.95)
 */
export function binnedDuration(bins: LogBins): Duration {
  return {
    n: bins.n,
    mean: () => binnedMean(bins),
    percentile: (share) => binnedPercentile(bins, share),
  };
}

/**
 * The times of no call, or of calls whose times were not kept.
 * @example { ...noTimes, latency: binnedDuration(bins) }
 */
export const noTimes: Durations = {
  ...{ latency: durationOf([]), firstByte: durationOf([]), generation: durationOf([]) },
};
