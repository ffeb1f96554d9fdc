import { batchSize, resampleCount } from "./bootstrap.ts";
import { columnSums } from "./column-sums.ts";
import { resampler } from "./resampler.ts";

/** Work that a comparison may cost: 20 models, six metrics, 1,000 samples and all resamples fit in. */
const WORK_MAX = 2e9;
const RESAMPLES_MIN = 1_000;

/**
 * The means of many columns over the same resamples of units, by column: what differences, ranks and
 * intervals of models on the same samples follow from. A column holds the sum of a unit's samples,
 * `sizes` how many these are (1 where every sample is a unit). Resamples fall from 10,000 to 1,000
 * where resamples · units · columns would pass 2·10⁹. Empty below two units.
 * Source: specification of statistics, bootstrap interval and rank interval.
 * @example jointMeans([scoresA, scoresB], ones, "board")[0] // 10,000 means of model A
 */
export function jointMeans(
  columns: readonly Float64Array[],
  sizes: Float64Array,
  seed: string,
): Float64Array[] {
  const units = sizes.length;
  if (units < 2) return columns.map(() => new Float64Array(0));
  const resamples = resamplesFor(units * columns.length);
  const draws = columns.map(() => new Float64Array(resamples));
  const sumsOf = columnSums([...columns, sizes]);
  const resample = resampler(seed);
  const batch = Array.from({ length: batchSize }, () => new Int32Array(units));
  for (let first = 0; first < resamples; first += batchSize) {
    for (const times of batch) resample(times);
    sumsOf(batch).forEach((sums, r) => {
      const drawn = sums[columns.length]!;
      for (let k = 0; k < columns.length; k++) draws[k]![first + r] = sums[k]! / drawn;
    });
  }
  return draws;
}

function resamplesFor(work: number): number {
  const affordable = Math.floor(WORK_MAX / work / batchSize) * batchSize;
  return Math.max(RESAMPLES_MIN, Math.min(resampleCount, affordable));
}
