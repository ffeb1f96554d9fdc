import { batchSize, resampleCount } from "./bootstrap.ts";
import { columnSums } from "./column-sums.ts";
import { resampler } from "./resampler.ts";

/**
 * Figures computed from several ratios of sums, over the same resamples of units; `jointMeans` is the same for single
 * ratios. `models` has the ratios of every model, the same number for each, in the argument order of `figure`. An
 * argument is null if its denominator is zero; the array of arguments is reused. If a resample has no figure for one
 * model, it is omitted for all.
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

/** Limit for the work of a comparison: enough for all resamples of 20 models, six metrics and 1,000 samples. */
const WORK_MAX = 2e9;
const RESAMPLES_MIN = 1_000;

/** A metric by unit: over any set of units its value is Σ of / Σ over. */
export interface RatioOfSums {
  of: Float64Array;
  over: Float64Array;
}

/** The same resamples of units for many ratios. */
interface JointResamples {
  count: number;
  /** Indexes of each ratio's two sums. */
  places: readonly (readonly [of: number, over: number])[];
  /** Calls back with all sums of each resample in turn, in reused arrays. */
  each(take: (sums: Float64Array, resample: number) => void): void;
}

/**
 * Resamples of the units of many ratios; columns shared by ratios are summed once. 10,000 resamples, or fewer (at
 * least 1,000) if resamples · units · columns would exceed 2·10⁹; none for fewer than two units.
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
 * Many ratios of sums over the same resamples of units: the basis for differences, ranks and intervals of models on
 * the same samples. A mean is a ratio over the number of samples in each unit (1 if units are samples). A resample
 * with a zero denominator counts as 1. As many draws as `jointResamples` makes.
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
