import { batchSize, resampleCount } from "./bootstrap.ts";
import { columnSums } from "./column-sums.ts";
import { resampler } from "./resampler.ts";

/** Work that a comparison may cost: 20 models, six metrics, 1,000 samples and all resamples fit in. */
const WORK_MAX = 2e9;
const RESAMPLES_MIN = 1_000;

/** A figure by unit: over any units its value is Σ of / Σ over. */
interface RatioOfSums {
  of: Float64Array;
  over: Float64Array;
}

/**
 * Many ratios of sums over the same resamples of units: what differences, ranks and intervals of models
 * on the same samples follow from. A mean is a ratio over the unit's samples (1 where every sample is a
 * unit). A resample with nothing to divide by has lost nothing: 1. Resamples fall from 10,000 to 1,000 where
 * resamples · units · columns would pass 2·10⁹. Empty below two units.
 * Source: specification of statistics, bootstrap interval and rank interval.
 * @example jointMeans([{ of: scoresA, over: ones }, { of: scoresB, over: ones }], "board")[0]
 */
export function jointMeans(ratios: readonly RatioOfSums[], seed: string): Float64Array[] {
  const units = ratios[0]?.of.length ?? 0;
  if (units < 2) return ratios.map(() => new Float64Array(0));
  const columns = [...new Set(ratios.flatMap(({ of, over }) => [of, over]))];
  const places = ratios.map(
    ({ of, over }) => [columns.indexOf(of), columns.indexOf(over)] as const,
  );
  const resamples = resamplesFor(units * columns.length);
  const draws = ratios.map(() => new Float64Array(resamples));
  const sumsOf = columnSums(columns);
  const resample = resampler(seed);
  const batch = Array.from({ length: batchSize }, () => new Int32Array(units));
  for (let first = 0; first < resamples; first += batchSize) {
    for (const times of batch) resample(times);
    sumsOf(batch).forEach((sums, r) => {
      places.forEach(([of, over], k) => {
        const divisor = sums[over]!;
        draws[k]![first + r] = divisor === 0 ? 1 : sums[of]! / divisor;
      });
    });
  }
  return draws;
}

function resamplesFor(work: number): number {
  const affordable = Math.floor(WORK_MAX / work / batchSize) * batchSize;
  return Math.max(RESAMPLES_MIN, Math.min(resampleCount, affordable));
}
