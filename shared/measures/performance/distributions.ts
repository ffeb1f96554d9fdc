import {
  addBinned,
  binnedMean,
  binnedPercentile,
  type LogBins,
  noBins,
} from "../../stats/sums/log-bins.ts";
import { percentile } from "../../stats/sums/percentile.ts";

/** Measurements of an answered call: times in ms, tokens, tokens per second; null or missing if unknown. */
export interface CallNumbers {
  latencyMs: number | null;
  firstByteMs: number | null;
  firstTokenMs?: number;
  networkMs?: number;
  tokensPerSecond?: number;
  inputTokens?: number | null;
  outputTokens?: number | null;
  cachedTokens?: number;
  audioTokens?: number;
  reasoningTokens?: number;
}

/**
 * Time from the first byte to the last in ms, at least 0; null if either time is unknown.
 * @example generationMs({ latencyMs: 500, firstByteMs: 90 }) // 410
 */
export const generationMs = ({ latencyMs, firstByteMs }: CallNumbers): number | null =>
  latencyMs === null || firstByteMs === null ? null : Math.max(0, latencyMs - firstByteMs);

/** The quantities of a call whose distribution over a run is computed, each with its accessor. */
const quantities = {
  latency: ({ latencyMs }) => latencyMs,
  firstToken: ({ firstTokenMs = null }) => firstTokenMs,
  firstByte: ({ firstByteMs }) => firstByteMs,
  generation: generationMs,
  network: ({ networkMs = null }) => networkMs,
  outputSpeed: ({ tokensPerSecond = null }) => tokensPerSecond,
  inputTokens: ({ inputTokens = null }) => inputTokens,
  outputTokens: ({ outputTokens = null }) => outputTokens,
} as const satisfies Record<string, (call: CallNumbers) => number | null>;

export type Quantity = keyof typeof quantities;
export const quantityNames = Object.keys(quantities) as readonly Quantity[];

/**
 * A quantity of a call; null if unknown.
 * @example quantityOf("generation", { latencyMs: 500, firstByteMs: 90 }) // 410
 */
export const quantityOf = (name: Quantity, call: CallNumbers): number | null =>
  quantities[name](call);

/** One quantity of many calls; figures are null without calls. */
export interface Distribution {
  n: number;
  mean(): number | null;
  /** Type 7; `share` is 0–1. */
  percentile(share: number): number | null;
}

/** The quantities of a run's answered calls. */
export type Distributions = Record<Quantity, Distribution>;

const each = <Value>(of: (name: Quantity) => Value): Record<Quantity, Value> =>
  Object.fromEntries(quantityNames.map((name) => [name, of(name)])) as Record<Quantity, Value>;

/** The distribution of a list. O(n log n). */
function distributionOf(values: readonly number[]): Distribution {
  const sorted = Float64Array.from(values).sort();
  const total = sorted.reduce((sum, value) => sum + value, 0);
  return {
    n: sorted.length,
    mean: () => (sorted.length === 0 ? null : total / sorted.length),
    percentile: (share) => percentile(sorted, share),
  };
}

/**
 * Distributions from a list of calls; ignores unknown values. O(n log n).
 * @example distributionsOf([{ latencyMs: 500, firstByteMs: 90 }]).generation.mean() // 410
 */
export const distributionsOf = (calls: readonly CallNumbers[]): Distributions =>
  each((name) =>
    distributionOf(calls.map(quantities[name]).filter((value): value is number => value !== null)),
  );

/** The quantities of calls, counted in bins; missing without a value. */
export type QuantityBins = Partial<Record<Quantity, LogBins>>;

/**
 * Counts the known quantities of a call. Changes `bins`.
 * @example addQuantities(bins, { latencyMs: 500, firstByteMs: null })
 */
export function addQuantities(bins: QuantityBins, call: CallNumbers): void {
  for (const name of quantityNames) {
    const value = quantities[name](call);
    if (value === null) continue;
    bins[name] ??= noBins();
    addBinned(bins[name], value);
  }
}

/**
 * Distributions from bins: means are exact, percentiles are within 0.1%.
 * @example binnedDistributions(bins).latency.percentile(0.95)
 */
export const binnedDistributions = (bins: QuantityBins): Distributions =>
  each((name) => binnedDistribution(bins[name] ?? noBins()));

/**
 * The distribution of a quantity from bins: the mean is exact, percentiles are within 0.1%.
 * @example binnedDistribution(bins).percentile(0.95)
 */
export function binnedDistribution(bins: LogBins): Distribution {
  return {
    n: bins.n,
    mean: () => binnedMean(bins),
    percentile: (share) => binnedPercentile(bins, share),
  };
}

/**
 * Distributions without calls, or of calls whose quantities were not stored.
 * @example { ...noDistributions, latency: binnedDistribution(bins) }
 */
export const noDistributions: Distributions = distributionsOf([]);
