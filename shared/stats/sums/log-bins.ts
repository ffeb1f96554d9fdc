import type { Interval } from "../bootstrap/bootstrap.ts";
import { z95 } from "../significance/wilson-interval.ts";
import { addTo, type CompensatedSums, noSums, sumOf } from "./compensated-sum.ts";
import { percentilePlaces } from "./percentile-interval.ts";

/** Counts of positive values in bins of 0.2% width, so a value is known within 0.1%. */
export interface LogBins {
  counts: Record<number, number>;
  n: number;
  sum: CompensatedSums;
  min: number | null;
  max: number | null;
}

const binRatio = 1.002;

/** From the middle of a bin to its edge. */
const halfBin = Math.sqrt(binRatio);

/** All values below this are in the first bin. */
const smallest = 1e-3;

/** All values above this are in the last bin. */
const largest = 1e15;

/**
 * Empty bins.
 * @example binnedPercentile(noBins(), 0.5) // null
 */
export function noBins(): LogBins {
  return { counts: {}, n: 0, sum: noSums(), min: null, max: null };
}

/**
 * Counts one value ≥ 0.
 * @example addBinned(bins, 412.5)
 */
export function addBinned(bins: LogBins, value: number): void {
  const bin = binOf(value);
  bins.counts[bin] = (bins.counts[bin] ?? 0) + 1;
  bins.n++;
  addTo(bins.sum, value);
  bins.min = Math.min(bins.min ?? value, value);
  bins.max = Math.max(bins.max ?? value, value);
}

/**
 * The mean, exact; null without values.
 * @example binnedMean(bins)
 */
export function binnedMean(bins: LogBins): number | null {
  return bins.n === 0 ? null : sumOf(bins.sum) / bins.n;
}

/**
 * The percentile (type 7) within 0.1%; `share` 0 and 1 are exact. Null without values.
 * @example binnedPercentile(bins, 0.95)
 */
export function binnedPercentile(bins: LogBins, share: number): number | null {
  if (bins.n === 0) return null;
  const rank = (bins.n - 1) * share;
  const low = valueAt(bins, Math.floor(rank));
  return low + (valueAt(bins, Math.ceil(rank)) - low) * (rank - Math.floor(rank));
}

/**
 * The 95% interval of a percentile, of independent values; null for too few values.
 * @example binnedInterval(bins, 0.95) // [low, high]
 */
export function binnedInterval(bins: LogBins, share: number): Interval | null {
  const places = percentilePlaces(bins.n, share);
  return places && [valueAt(bins, places.low), valueAt(bins, places.high)];
}

/**
 * The 95% interval of the mean by the central limit theorem, from the middles of the bins; null for fewer than two
 * values.
 * @example binnedMeanInterval(bins) // [low, high]
 */
export function binnedMeanInterval(bins: LogBins): Interval | null {
  const mean = binnedMean(bins);
  if (mean === null || bins.n < 2) return null;
  const squares = binnedCounts(bins).reduce(
    (sum, [value, count]) => sum + count * (value - mean) ** 2,
    0,
  );
  const reach = z95 * Math.sqrt(squares / (bins.n - 1) / bins.n);
  return [mean - reach, mean + reach];
}

/**
 * The bins in order: the middle of each, clipped to the smallest and largest value, and its count. Empty without
 * values.
 * @example binnedCounts(bins) // [[412.3, 2], [980.1, 1]]
 */
export function binnedCounts(bins: LogBins): [value: number, count: number][] {
  return Object.entries(bins.counts).map(([bin, count]) => [
    within(bins, centreOf(Number(bin))),
    count,
  ]);
}

function valueAt(bins: LogBins, rank: number): number {
  if (rank <= 0) return bins.min!;
  if (rank >= bins.n - 1) return bins.max!;
  let passed = 0;
  const bin = Object.keys(bins.counts).find((one) => {
    passed += bins.counts[Number(one)]!;
    return passed > rank;
  });
  return within(bins, centreOf(Number(bin)));
}

const within = ({ min, max }: LogBins, value: number): number =>
  Math.min(max!, Math.max(min!, value));

/** The logarithm is only a first guess, corrected by the bin's edges: engines differ in its last bit. */
function binOf(value: number): number {
  const known = Math.min(value, largest);
  let bin = Math.max(0, Math.round(Math.log(known / smallest) / Math.log(binRatio)));
  while (known >= centreOf(bin) * halfBin) bin++;
  while (bin > 0 && known < centreOf(bin) / halfBin) bin--;
  return bin;
}

/** Only multiplications, which give the same bits in every engine; Math.exp does not. */
function centreOf(bin: number): number {
  let centre = smallest;
  for (let left = bin, factor = binRatio; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) centre *= factor;
    factor *= factor;
  }
  return centre;
}
