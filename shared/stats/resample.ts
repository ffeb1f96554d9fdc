import { drawIndex, xoshiro128 } from "./xoshiro128.ts";

/** Resamples of a bootstrap: the interval's ends then move by less than a hundredth of its width. */
export const resampleCount = 10_000;

/**
 * Draws `resampleCount` resamples of `n` units with replacement and calls `visit` with how often each
 * unit was drawn, in one array that is filled anew each time. The same seed and n give the same
 * resamples, index by index floor(u32·n/2³²). O(n) a resample, nothing allocated between two.
 * Source: Efron 1979; specification of statistics, bootstrap interval.
 * @example forEachResample(2, "run", (times) => times[0]! + times[1]!) // each sums to 2
 */
export function forEachResample(
  n: number,
  seed: string,
  visit: (times: Int32Array, resample: number) => void,
): void {
  const draw = xoshiro128(seed);
  const times = new Int32Array(n);
  for (let resample = 0; resample < resampleCount; resample++) {
    times.fill(0);
    for (let i = 0; i < n; i++) times[drawIndex(draw, n)]!++;
    visit(times, resample);
  }
}
