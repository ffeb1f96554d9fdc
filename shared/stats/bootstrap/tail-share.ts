import normalCdf from "@stdlib/stats-base-dists-normal-cdf";
import studentQuantile from "@stdlib/stats-base-dists-t-quantile";

const known = new Map<number, number>();

/**
 * Share of resampled means below the lower end of a 95% interval of `units` units, 0–0.025; as many are above the
 * upper end. It is Φ(−√(n/(n − 1)) · t₀.₉₇₅,ₙ₋₁): the plain 2.5% would give intervals that are too short, as a
 * resample of few units varies less than a sample, and as the spread of few units is itself uncertain. 0.025 for an
 * infinite number. Fewer than two units have no interval: NaN.
 * Source: Hesterberg 2015, What teachers should know about the bootstrap, 3.4 (expanded percentile interval);
 * docs/spec/statistics.md, bootstrap interval.
 * @example tailShare(15) // 0.0132
 */
export function tailShare(units: number): number {
  if (units === Number.POSITIVE_INFINITY) return 0.025;
  if (units < 2) return Number.NaN;
  const share =
    known.get(units) ??
    normalCdf(-Math.sqrt(units / (units - 1)) * studentQuantile(0.975, units - 1), 0, 1);
  known.set(units, share);
  return share;
}
