import type { Interval } from "../bootstrap/bootstrap.ts";

/** Standard normal quantile of 97.5%: half the width of a 95% interval in standard errors. */
export const z95 = 1.959963984540054;

/**
 * The 95% interval of a share: `count` of `n` independent items, within 0–1; null if n is 0. Wilson's score interval,
 * which is valid also for small n and for shares of 0 and 1.
 * Source: Wilson 1927, Probable inference, the law of succession, and statistical inference.
 * @example wilsonInterval(0, 10) // [0, 0.278]
 */
export function wilsonInterval(count: number, n: number): Interval | null {
  if (n <= 0) return null;
  const share = count / n;
  const scale = 1 + z95 ** 2 / n;
  const centre = (share + z95 ** 2 / (2 * n)) / scale;
  const reach = (z95 / scale) * Math.sqrt((share * (1 - share)) / n + z95 ** 2 / (4 * n ** 2));
  return [
    count <= 0 ? 0 : Math.max(0, centre - reach),
    count >= n ? 1 : Math.min(1, centre + reach),
  ];
}

/**
 * Share of common samples on which `a` scores higher than `b`, ties counted half: 0–1, 0.5 if they are even; null
 * without samples. Scores closer than 1e-12 are ties. Linear.
 * Source: docs/spec/statistics.md, win rate.
 * @example winRate([1, 0.5, 0], [0, 0.5, 0.5]) // 0.5
 */
export function winRate(a: ArrayLike<number>, b: ArrayLike<number>): number | null {
  if (a.length === 0) return null;
  let won = 0;
  for (let i = 0; i < a.length; i++) {
    const difference = a[i]! - b[i]!;
    won += Math.abs(difference) <= 1e-12 ? 0.5 : Number(difference > 0);
  }
  return won / a.length;
}
