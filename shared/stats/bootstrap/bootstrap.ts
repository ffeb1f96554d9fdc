import { PercentileIntervals } from "./percentile-interval.ts";
import { resampler } from "./resampler.ts";
import { tailShare } from "./tail-share.ts";

/** Number of resamples: the ends of an interval then vary by less than 1% of its width. */
export const resampleCount = 10_000;

/** Resamples for parts of a run: the ends of an interval then vary by about 2.5% of its width. */
export const partResamples = 2_000;

/** Resamples computed together, so that each value is read once for four sums. */
export const batchSize = 4;

/** The lower and upper end of a 95% interval. */
export type Interval = [low: number, high: number];

/** Figures that can be recomputed for a resample; NaN for an undefined one, such as 0/0. */
export interface Figures {
  count: number;
  /**
   * Takes how often each unit was drawn in each of `batchSize` resamples. Writes the figures of the first resample
   * into `into`, then those of the second, and so on.
   */
  evaluate(batch: readonly Float64Array[], into: Float64Array): void;
}

interface BootstrapOptions {
  /** A multiple of `batchSize`. */
  resamples?: number;
  /** Sizes of strata, in the order of the units; each stratum is resampled separately, with its own size. */
  strata?: readonly number[];
}

/**
 * 95% expanded percentile bootstrap intervals of many figures, all from the same resamples of `units` units, in the order of
 * `groups`. The same seed and number of units give the same resamples; a draw is floor(u32·n/2³²). Null for fewer
 * than two units, and for a figure that is undefined in every resample. O(resamples · (units + cost of the figures));
 * nothing is allocated between resamples.
 * Source: Efron 1979, Hesterberg 2015; docs/spec/statistics.md, bootstrap interval.
 * @example bootstrap(4, "run-1", [sumFigures(columns, statistics)]) // [[low, high]]
 */
export function bootstrap(
  units: number,
  seed: string,
  groups: readonly Figures[],
  { resamples = resampleCount, strata = [units] }: BootstrapOptions = {},
): (Interval | null)[] {
  if (units < 2) return groups.flatMap(({ count }) => new Array<null>(count).fill(null));
  const keepers = groups.map(
    ({ count }) => new PercentileIntervals(count, resamples, tailShare(units)),
  );
  const outputs = groups.map(({ count }) => new Float64Array(count * batchSize));
  const resample = resampler(seed);
  const batch = Array.from({ length: batchSize }, () => new Float64Array(units));
  const segments = batch.flatMap((times) => cut(times, strata));
  for (let first = 0; first < resamples; first += batchSize) {
    for (const times of segments) resample(times);
    for (let g = 0; g < groups.length; g++) {
      const [output, { count }] = [outputs[g]!, groups[g]!];
      groups[g]!.evaluate(batch, output);
      for (let r = 0; r < batchSize; r++) keepers[g]!.add(output, r * count);
    }
  }
  return keepers.flatMap((keeper) => keeper.ends());
}

/** Views of consecutive units, one for each of `sizes`. */
function cut(times: Float64Array, sizes: readonly number[]): Float64Array[] {
  let start = 0;
  return sizes.map((size) => {
    start += size;
    return times.subarray(start - size, start);
  });
}
