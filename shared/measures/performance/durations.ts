import {
  addBinned,
  binnedMean,
  binnedPercentile,
  type LogBins,
  noBins,
} from "../../stats/sums/log-bins.ts";
import { percentile } from "../../stats/sums/percentile.ts";

/** Times of many calls in ms; figures are null without calls. */
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
  /** Latency − time to first byte. */
  generation: Duration;
}

/**
 * Durations from a list of times. O(n log n).
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

/** The times of a call in ms; null if unknown. */
export interface CallTimes {
  latencyMs: number | null;
  firstByteMs: number | null;
}

/**
 * Time from the first byte to the last in ms, at least 0; null if either time is unknown.
 * @example generationMs({ latencyMs: 500, firstByteMs: 90 }) // 410
 */
export const generationMs = ({ latencyMs, firstByteMs }: CallTimes): number | null =>
  latencyMs === null || firstByteMs === null ? null : Math.max(0, latencyMs - firstByteMs);

/**
 * Durations from a list of calls; ignores unknown times. O(n log n).
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

/** Times of calls, counted in bins. */
export type TimeBins = Record<keyof Durations, LogBins>;

/**
 * Empty bins.
 * @example noTimeBins().latency.n // 0
 */
export const noTimeBins = (): TimeBins => ({
  latency: noBins(),
  firstByte: noBins(),
  generation: noBins(),
});

/**
 * Counts the known times of a call. Changes `bins`.
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
 * Durations from bins: means are exact, percentiles are within 0.1%.
 * @example binnedDurations(bins).latency.percentile(0.95)
 */
export const binnedDurations = ({ latency, firstByte, generation }: TimeBins): Durations => ({
  latency: binnedDuration(latency),
  firstByte: binnedDuration(firstByte),
  generation: binnedDuration(generation),
});

/**
 * Durations of one kind from bins: the mean is exact, percentiles are within 0.1%.
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
 * Durations without calls, or of calls whose times were not kept.
 * @example { ...noTimes, latency: binnedDuration(bins) }
 */
export const noTimes: Durations = {
  latency: durationOf([]),
  firstByte: durationOf([]),
  generation: durationOf([]),
};
