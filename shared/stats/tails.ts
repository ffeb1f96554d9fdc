import quickselect from "quickselect";
import { percentile } from "./percentile.ts";

/** What lies below the ends of a 95% interval. */
const [lower, upper] = [0.025, 0.975];

/**
 * The 2.5th and 97.5th percentile of `values`, which it rearranges in place instead of sorting them;
 * NaN is left out. Null without values. Linear on average.
 * Source: specification of statistics, percentile and bootstrap interval.
 * @example tails(Float64Array.of(3, 1, 2)) // [1.05, 2.95]
 */
export function tails(values: Float64Array): [low: number, high: number] | null {
  const measured = values.subarray(0, numbersFirst(values));
  const [low, high] = [percentileOf(measured, lower), percentileOf(measured, upper)];
  return low === null || high === null ? null : [low, high];
}

/** Puts the two order statistics that a percentile lies between into their places, and reads them. */
function percentileOf(values: Float64Array, share: number): number | null {
  const last = values.length - 1;
  const below = Math.floor(last * share);
  if (below <= last) quickselect(values, below);
  if (below < last) quickselect(values, below + 1, below + 1);
  return percentile(values, share);
}

/** Moves what is NaN to the end; how many numbers stand before. */
function numbersFirst(values: Float64Array): number {
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    values[i] = values[count]!;
    values[count++] = value;
  }
  return count;
}
