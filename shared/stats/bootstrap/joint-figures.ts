import { jointResamples, type RatioOfSums } from "./joint-resamples.ts";

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
