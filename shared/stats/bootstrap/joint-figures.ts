import { batchSize, resampleCount } from "./bootstrap.ts";
import { columnSums } from "./column-sums.ts";
import { resampler } from "./resampler.ts";

/**
 * Figures that follow from several ratios of sums each, over the same resamples of units: what `jointMeans`
 * is to single ratios. `models` has the ratios of every model, as many of each, in the order in which
 * `figure` takes them: null where a resample has nothing to divide by, in an array that is used again. A
 * resample in which any model has no figure is left out for all.
 * Source: docs/spec/statistics.md, bootstrap interval and rank interval.
 * @example jointFigures([[recall, precision]], ([r, p]) => Math.min(r ?? 0, p ?? 0), "board")[0]
 */
export function jointFigures(
  models: readonly (readonly RatioOfSums[])[],
  figure: (ratios: readonly (number | null)[]) => number | null,
  seed: string,
): Float64Array[] {
  const resamples = jointResamples(models.flat(), seed);
  const draws = models.map(() => new Float64Array(resamples.count));
  const ratios: (number | null)[] = Array.from(models[0] ?? [], () => null);
  let count = 0;
  resamples.each((sums) => {
    let isKnown = true;
    for (let m = 0; m < models.length && isKnown; m++) {
      for (let k = 0; k < ratios.length; k++) {
        const [of, over] = resamples.places[m * ratios.length + k]!;
        const divisor = sums[over]!;
        ratios[k] = divisor === 0 ? null : sums[of]! / divisor;
      }
      const value = figure(ratios);
      isKnown = value !== null;
      draws[m]![count] = value ?? 0;
    }
    if (isKnown) count += 1;
  });
  return draws.map((drawn) => drawn.subarray(0, count));
}

/** Work that a comparison may cost: 20 models, six metrics, 1,000 samples and all resamples fit in. */
const WORK_MAX = 2e9;
const RESAMPLES_MIN = 1_000;

/** A figure by unit: over any units its value is Σ of / Σ over. */
export interface RatioOfSums {
  of: Float64Array;
  over: Float64Array;
}

/** The same resamples of units for many ratios. */
interface JointResamples {
  count: number;
  /** Indexes of each ratio's two sums. */
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
function jointResamples(ratios: readonly RatioOfSums[], seed: string): JointResamples {
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

/**
 * Many ratios of sums over the same resamples of units: what differences, ranks and intervals of models
 * on the same samples follow from. A mean is a ratio over the unit's samples (1 where every sample is a
 * unit). A resample with nothing to divide by has lost nothing: 1. As many draws as `jointResamples` makes.
 * Source: docs/spec/statistics.md, bootstrap interval and rank interval.
 * @example jointMeans([{ of: scoresA, over: ones }, { of: scoresB, over: ones }], "board")[0]
 */
export function jointMeans(ratios: readonly RatioOfSums[], seed: string): Float64Array[] {
  const resamples = jointResamples(ratios, seed);
  const draws = ratios.map(() => new Float64Array(resamples.count));
  resamples.each((sums, draw) => {
    resamples.places.forEach(([of, over], k) => {
      const divisor = sums[over]!;
      draws[k]![draw] = divisor === 0 ? 1 : sums[of]! / divisor;
    });
  });
  return draws;
}
