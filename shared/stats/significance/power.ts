import { z95 } from "./wilson-interval.ts";

/** Standard normal quantiles of a two-sided 5% test with 80% power: z(0.975) + z(0.8). */
const POWER = 0.8416212335729143;
const REACH = z95 + POWER;
/** A difference, or a spread of differences, up to this is rounding error. */
export const ROUNDING = 1e-12;

/**
 * The smallest true mean difference that a paired test of `n` samples detects with 80% power at the 5% level, given
 * the standard deviation of the differences; in the unit of the scores. Normal approximation. Null for fewer than two
 * samples, and for differences that don't vary: these can't be tested.
 * Source: Cohen 1988, chapter 2; docs/spec/statistics.md, power note.
 * @example detectableDifference(0.2, 100) // 0.0560
 */
export function detectableDifference(sdDifference: number | null, n: number): number | null {
  if (sdDifference === null || sdDifference <= ROUNDING || n < 2) return null;
  return (REACH * sdDifference) / Math.sqrt(n);
}

/**
 * The standard error of a mean difference, from the detectable difference; null if this is null.
 * @example standardError(0.056) // 0.02
 */
export const standardError = (detectable: number | null): number | null =>
  detectable === null ? null : detectable / REACH;

/**
 * Samples that a paired test needs to detect the observed difference with 80% power at the 5% level; null if the
 * difference is 0 or the differences don't vary, else at least 2. If clusters are tested, a cluster has `perUnit` samples on average.
 * Source: as above.
 * @example samplesToSeparate(0.2, 0.05) // 126
 */
export function samplesToSeparate(
  sdDifference: number | null,
  meanDifference: number | null,
  perUnit = 1,
): number | null {
  if (sdDifference === null || meanDifference === null) return null;
  if (sdDifference <= ROUNDING || Math.abs(meanDifference) <= ROUNDING) return null;
  const units = Math.max(2, ((REACH * sdDifference) / meanDifference) ** 2);
  const samples = Math.ceil(units * perUnit);
  return Number.isSafeInteger(samples) ? samples : null;
}

/**
 * How many times as many samples a test needs for the same power if it is one of `tests` whose p-values are corrected
 * (at worst, as by Bonferroni); 1 for a single test. At least 1.
 * Source: as above; the normal quantile by Abramowitz and Stegun 1964, 26.2.23 (error below 0.00045).
 * @example timesForCorrection(6) // 1.54
 */
export function timesForCorrection(tests: number): number {
  if (tests <= 1) return 1;
  const t = Math.sqrt(-2 * Math.log(0.025 / tests));
  const quantile =
    t -
    (2.515517 + 0.802853 * t + 0.010328 * t ** 2) /
      (1 + 1.432788 * t + 0.189269 * t ** 2 + 0.001308 * t ** 3);
  return ((quantile + POWER) / REACH) ** 2;
}
