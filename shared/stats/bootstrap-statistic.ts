import { type Interval, resampleCount } from "./bootstrap.ts";
import { resampler } from "./resampler.ts";
import { tails } from "./tails.ts";

/**
 * The 95% percentile bootstrap interval of any statistic of `items`, which is worked out anew for every
 * resample; a resample that has none is left out. For figures that no sums give, such as agreement;
 * sums take `bootstrap`, which is a hundred times faster. Null below two items and without a statistic.
 * O(resamples · cost of the statistic).
 * Source: Efron 1979; docs/spec/statistics.md, bootstrap interval.
 * @example bootstrapStatistic([[1, 1], [2, 1]], "judges", krippendorffAlpha)
 */
export function bootstrapStatistic<Item>(
  items: readonly Item[],
  seed: string,
  statistic: (items: readonly Item[]) => number | null,
  resamples: number = resampleCount,
): Interval | null {
  if (items.length < 2) return null;
  const resample = resampler(seed);
  const times = new Float64Array(items.length);
  const drawn = new Float64Array(resamples);
  for (let r = 0; r < resamples; r++) {
    resample(times);
    const chosen = items.flatMap((item, i) => Array.from({ length: times[i]! }, () => item));
    drawn[r] = statistic(chosen) ?? Number.NaN;
  }
  return tails(drawn);
}
