import type { MetricComparison } from "../../contracts/boards/comparison.ts";
import { samplesToSeparate, standardError } from "../../stats/significance/power.ts";

/** Samples that tell two models apart that differ by so much. */
export interface PlannedSamples {
  difference: number;
  /** By the pair of runs whose scores differ most evenly, and by the one whose differences vary most. */
  least: number;
  most: number;
}

/**
 * How many samples of a dataset tell differences of these sizes in 80% of cases at the 5% level, from how much the
 * scores of runs on it differ from sample to sample: the range over all pairs of runs. Empty where no pair can be
 * tested; without differences that would take more samples than can be counted. Linear.
 * Source: Cohen 1988, chapter 2; docs/spec/statistics.md, power note.
 * @example samplePlan(comparison.metrics[0]!, [0.02])[0] // { difference: 0.02, least: 310, most: 784 }
 */
export function samplePlan(
  { pairs, units, samples }: Pick<MetricComparison, "pairs" | "units" | "samples">,
  differences: readonly number[],
): PlannedSamples[] {
  const deviations = pairs.flatMap(({ detectableDifference }) => {
    const error = standardError(detectableDifference);
    return error === null ? [] : [error * Math.sqrt(units.count)];
  });
  if (deviations.length === 0) return [];
  return differences.flatMap((difference) => {
    const needed = (deviation: number) =>
      samplesToSeparate(deviation, difference, samples / units.count);
    const least = needed(Math.min(...deviations));
    const most = needed(Math.max(...deviations));
    return least === null || most === null ? [] : [{ difference, least, most }];
  });
}
