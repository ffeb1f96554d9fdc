import { batchSize, resampleCount } from "./bootstrap.ts";
import { columnSums } from "./column-sums.ts";
import { resampler } from "./resampler.ts";

/** Work that a comparison may cost: 20 models, six metrics, 1,000 samples and all resamples fit in. */
const WORK_MAX = 2e9;
const RESAMPLES_MIN = 1_000;

/** A figure by unit: over any units its value is Σ of / Σ over. */
export interface RatioOfSums {
  of: Float64Array;
  over: Float64Array;
}

/** The same resamples of units for many ratios. */
export interface JointResamples {
  count: number;
  /** Of each ratio, where its two sums stand among all. */
  places: readonly (readonly [of: number, over: number])[];
  /** Gives all sums over one resample after the other, in arrays that are used again. */
  each(take: (sums: Float64Array, resample: number) => void): void;
}

/**
 * Resamples of the units of many ratios; columns that ratios share are summed once. There are 10,000, and
 * down to 1,000 where resamples · units · columns would pass 2·10⁹; none below two units.
 * Source: docs/spec/statistics.md, bootstrap interval and rank interval.
 * @example jointResamples([{ of: scores, over: ones }], "board").each((sums) => means.push(sums[0]! / n))
 */
export function jointResamples(ratios: readonly RatioOfSums[], seed: string): JointResamples {
  const columns = [...new Set(ratios.flatMap(({ of, over }) => [of, over]))];
  const placeOf = new Map(columns.map((column, place) => [column, place]));
  const units = columns[0]?.length ?? 0;
  const count = units < 2 ? 0 : resamplesFor(units * columns.length);
  return {
    count,
    places: ratios.map(({ of, over }) => [placeOf.get(of)!, placeOf.get(over)!]),
    each(take) {
      const sumsOf = columnSums(columns);
      const resample = resampler(seed);
      const batch = Array.from({ length: batchSize }, () => new Float64Array(units));
      for (let first = 0; first < count; first += batchSize) {
        for (const times of batch) resample(times);
        sumsOf(batch).forEach((sums, r) => {
          take(sums, first + r);
        });
      }
    },
  };
}

function resamplesFor(work: number): number {
  const affordable = Math.floor(WORK_MAX / work / batchSize) * batchSize;
  return Math.max(RESAMPLES_MIN, Math.min(resampleCount, affordable));
}
