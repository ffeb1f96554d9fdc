import {
  addBinned,
  binnedMean,
  binnedPercentile,
  type LogBins,
  noBins,
} from "../../stats/sums/log-bins.ts";
import { percentile } from "../../stats/sums/percentile.ts";

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
function durationOf(values: readonly number[]): Duration {
  const sorted = Float64Array.from(values).sort();
  const total = sorted.reduce((sum, value) => sum + value, 0);
  return {
    n: sorted.length,
    mean: () => (sorted.length === 0 ? null : total / sorted.length),
    percentile: (share) => percentile(sorted, share),
  };
}

/** The times of a call in ms; null where they are not known. */
export interface CallTimes {
  latencyMs: number | null;
  firstByteMs: number | null;
}

/**
 * Time from the first byte to the last in ms, never below 0; null where either time is not known.
 * @example generationMs({ latencyMs: 500, firstByteMs: 90 }) // 410
 */
export const generationMs = ({ latencyMs, firstByteMs }: CallTimes): number | null =>
  latencyMs === null || firstByteMs === null ? null : Math.max(0, latencyMs - firstByteMs);

/**
 * The times of calls that are all kept, those that are known. O(n log n).
 * @example durationsOf([{ latencyMs: 500, firstByteMs: 90 }]).generation.mean() // 410
 */
export function durationsOf(calls: readonly CallTimes[]): Durations {
  const known = (of: (call: CallTimes) => number | null): Duration =>
    durationOf(calls.map(of).filter((time) => time !== null));
  return {
    latency: known(({ latencyMs }) => latencyMs),
    firstByte: known(({ firstByteMs }) => firstByteMs),
    generation: known(generationMs),
  };
}

/** The times of calls, counted in bins. */
export type TimeBins = Record<keyof Durations, LogBins>;

/**
 * The times of no call.
 * @example noTimeBins().latency.n // 0
 */
export const noTimeBins = (): TimeBins => ({
  latency: noBins(),
  firstByte: noBins(),
  generation: noBins(),
});

/**
 * Counts the times of a call that are known. Changes `bins`.
 * @example addTimes(bins, { latencyMs: 500, firstByteMs: null })
 */
export function addTimes(bins: TimeBins, call: CallTimes): void {
  const { latencyMs, firstByteMs } = call;
  const generation = generationMs(call);
  if (latencyMs !== null) addBinned(bins.latency, latencyMs);
  if (firstByteMs !== null) addBinned(bins.firstByte, firstByteMs);
  if (generation !== null) addBinned(bins.generation, generation);
}

/**
 * Times that were counted in bins: means are exact, percentiles are within 0.1%.
 * @example binnedDurations(bins).latency.percentile(0.95)
 */
export const binnedDurations = ({ latency, firstByte, generation }: TimeBins): Durations => ({
  latency: binnedDuration(latency),
  firstByte: binnedDuration(firstByte),
  generation: binnedDuration(generation),
});

/**
 * Times of one kind that were counted in bins: the mean is exact, percentiles are within 0.1%.
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
  latency: durationOf([]),
  firstByte: durationOf([]),
  generation: durationOf([]),
};
