import type { Timeline } from "../../contracts/runs/timeline.ts";
import { addBinned, binnedPercentile, type LogBins, noBins } from "../../stats/sums/log-bins.ts";

/** Maximum number of bins: as many as are distinct in a chart of a page's width. */
const MAX_BINS = 60;
/** A shorter bin would show single calls instead of throughput. */
const MIN_BIN_MS = 1_000;

/** When a sample was done, and its waits; times in ms, null if unknown. */
export interface TimedSample {
  /** From the run's start. */
  doneMs: number | null;
  covered: boolean;
  latencyMs: number | null;
  attempts: number;
  queueWaitMs: number | null;
  retryWaitMs: number | null;
}

/** Intermediate state of fixed size. */
export type TimelineTally = ReturnType<typeof emptyTimeline>;

/**
 * A timeline without samples over `wallMs` ≥ 0: at most 60 equal bins, none shorter than a second unless it is the
 * only one.
 * @example emptyTimeline(90_000).bins.length // 60
 */
export function emptyTimeline(wallMs: number) {
  const length = Math.min(MAX_BINS, Math.max(1, Math.floor(wallMs / MIN_BIN_MS)));
  const bins = Array.from({ length }, () => ({
    completed: 0,
    failed: 0,
    attempts: 0,
    latency: { n: 0, sum: 0 },
  }));
  return { wallMs, bins, queueWait: noBins(), retryWait: noBins() };
}

/**
 * Counts a sample in the bin in which it was done; in the last bin if it was done at the end or later; ignores it if
 * the time is unknown. Changes `tally`; constant time.
 * @example addToTimeline(tally, row)
 */
export function addToTimeline(tally: TimelineTally, sample: TimedSample): void {
  const { queueWaitMs, retryWaitMs, latencyMs } = sample;
  if (queueWaitMs !== null) addBinned(tally.queueWait, queueWaitMs);
  if (retryWaitMs !== null) addBinned(tally.retryWait, retryWaitMs);
  const bin = binOf(tally, sample.doneMs);
  if (bin === undefined) return;
  bin.attempts += sample.attempts;
  if (!sample.covered) {
    bin.failed++;
    return;
  }
  bin.completed++;
  if (latencyMs === null) return;
  bin.latency.n++;
  bin.latency.sum += latencyMs;
}

/**
 * The timeline of all added samples: counts by bin, mean latency of answered samples in ms (null without any), and
 * the quantiles of queue and retry waits over the whole run, within 0.1%. Waits are separate because they depend on
 * the load of run and endpoint; latency is that of the endpoint.
 * @example timelineOf(tally).retryWaitMs.p95
 */
export function timelineOf({ wallMs, bins, queueWait, retryWait }: TimelineTally): Timeline {
  return {
    wallMs,
    binMs: wallMs / bins.length,
    bins: bins.map(({ latency, ...counts }) => ({
      ...counts,
      meanLatencyMs: latency.n === 0 ? null : latency.sum / latency.n,
    })),
    queueWaitMs: quantiles(queueWait),
    retryWaitMs: quantiles(retryWait),
  };
}

function binOf({ wallMs, bins }: TimelineTally, doneMs: number | null) {
  if (doneMs === null) return undefined;
  const place = wallMs === 0 ? 0 : Math.floor((doneMs / wallMs) * bins.length);
  return bins[Math.max(0, Math.min(bins.length - 1, place))];
}

const quantiles = (waits: LogBins): Timeline["queueWaitMs"] => ({
  n: waits.n,
  p50: binnedPercentile(waits, 0.5),
  p95: binnedPercentile(waits, 0.95),
  p99: binnedPercentile(waits, 0.99),
  max: waits.max,
});
