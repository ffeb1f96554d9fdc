import type { MetricComparison } from "../../contracts/boards/comparison.ts";
import { samplesToSeparate, standardError } from "../../stats/significance/power.ts";

/** Numbers of samples that distinguish two models with a given difference. */
export interface PlannedSamples {
  difference: number;
  /** For the pair of runs whose differences vary least, and for the pair whose differences vary most. */
  least: number;
  most: number;
}

/**
 * Numbers of samples of a dataset that detect differences of these sizes with 80% power at the 5% level: the range over
 * all pairs of runs, estimated from the spread of their differences. Empty if no pair can be tested; omits differences
 * that would need more samples than can be counted. Linear.
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
