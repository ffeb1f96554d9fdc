import { binnedCounts, type LogBins } from "./log-bins.ts";

/** More tell a reader nothing that the percentiles don't. */
const mostBins = 24;

/** From here on bins of one width would put most values of a skewed distribution into the first. */
const wideRange = 10;

/** Bins of a histogram hold ten of the counted ones or more, or their bounds would show in it. */
const leastWidth = 0.02;

/** Some digits more than values are known by: engines differ in the last ones of a power. */
const digits = 6;

/** How many values lie from `from` up to `to`. */
export interface HistogramBin {
  from: number;
  to: number;
  count: number;
}

/**
 * A histogram of counted values from the least to the largest, each bin beginning where the one before ends:
 * as many as Rice's rule says (2·∛n), at most 24. They are equally wide, or equally wide on a logarithmic scale
 * where the largest value is over ten times the least and that is above 0. A value within 0.1% of a
 * bound may be counted on either side. Values that are all equal have one bin; none have none.
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

/** The least whole number that is 2·∛n or more, by whole numbers alone. */
function binsFor(n: number): number {
  let bins = 1;
  while (bins < mostBins && bins ** 3 < 8 * n) bins++;
  return bins;
}

/**
 * Adds every number of `other` to the one at the same place in `counts`, which gets what it lacks.
 * Linear in `other`.
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
