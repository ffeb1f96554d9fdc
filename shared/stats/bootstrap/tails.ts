import { TailKeeper } from "./tail-keeper.ts";

/**
 * The 2.5th and 97.5th percentile of `values`; what is not finite is left out. Null without values. Linear on average.
 * Source: docs/spec/statistics.md, percentile and bootstrap interval.
 * @example tails(Float64Array.of(3, 1, 2)) // [1.05, 2.95]
 */
export function tails(values: Float64Array): [low: number, high: number] | null {
  const keeper = new TailKeeper(values.length);
  for (const value of values) keeper.add(value);
  return keeper.ends();
}
