import { binnedCounts, type LogBins } from "./log-bins.ts";

/** More bins would show no more than the percentiles do. */
const mostBins = 24;

/** Above this ratio, bins of equal width would put most values of a skewed distribution into the first bin. */
const wideRange = 10;

/** A histogram's bin covers at least ten counting bins; otherwise their bounds would be visible. */
const leastWidth = 0.02;

/** A few digits more than the resolution of the values: engines differ in the last digits of a power. */
const digits = 6;

/** Number of values from `from` up to `to`. */
export interface HistogramBin {
  from: number;
  to: number;
  count: number;
}

/**
 * A histogram of counted values from the smallest to the largest; each bin begins where the previous one ends. The
 * number of bins is by Rice's rule (2·∛n), at most 24. Bins have equal width, or equal width on a logarithmic scale
 * if the largest value is more than ten times the smallest and the smallest is above 0. A value within 0.1% of a
 * bound may be counted on either side. Equal values give one bin; no values give no bin.
 * Source: Terrell and Scott 1985, Oversmoothed nonparametric density estimates (Rice's rule).
 * @example binnedHistogram(bins) // [{ from: 380, to: 455, count: 12 }, …]
 */
export function binnedHistogram(bins: LogBins): HistogramBin[] {
  const edges = edgesOf(bins);
  const histogram = edges.slice(1).map((to, i) => ({ from: edges[i]!, to, count: 0 }));
  for (const [value, count] of binnedCounts(bins)) {
    const bin = histogram.find(({ to }) => value < to) ?? histogram.at(-1)!;
    bin.count += count;
  }
  return histogram;
}

function edgesOf({ n, min, max }: LogBins): number[] {
  if (min === null || max === null) return [];
  if (min === max) return [min, min === 0 ? 1 : min * (1 + leastWidth)];
  const isWide = min > 0 && max / min > wideRange;
  const distinct = isWide ? mostBins : Math.max(1, Math.floor((1 - min / max) / leastWidth));
  const count = Math.min(distinct, binsFor(n));
  const at = (i: number) =>
    isWide ? min * (max / min) ** (i / count) : min + ((max - min) * i) / count;
  const inner = Array.from({ length: count - 1 }, (_, i) => Number(at(i + 1).toPrecision(digits)));
  return [min, ...inner, max];
}

/** The smallest whole number that is at least 2·∛n, by integer arithmetic. */
function binsFor(n: number): number {
  let bins = 1;
  while (bins < mostBins && bins ** 3 < 8 * n) bins++;
  return bins;
}

/**
 * Adds every number of `other` to the one at the same path in `counts`; missing entries are created. Linear in
 * `other`.
 * @example addCounts({ a: 1, b: [1, 2] }, { b: [3, 4] }) // { a: 1, b: [4, 6] }
 */
export function addCounts(counts: object, other: object): void {
  const into = counts as Record<string, number | object | undefined>;
  const from = other as Record<string, number | object>;
  for (const name of Object.keys(from)) {
    const value = from[name]!;
    const known = into[name];
    if (typeof value === "number") into[name] = ((known as number | undefined) ?? 0) + value;
    else if (typeof known === "object") addCounts(known, value);
    else into[name] = structuredCopy(value);
  }
}

function structuredCopy(value: object): object {
  const copy = Array.isArray(value) ? [] : {};
  addCounts(copy, value);
  return copy;
}
