import { studentTwoSided } from "../significance/moments.ts";

/** Correlation of two measures over `n` samples. */
export interface Correlation {
  /** −1 to 1; null for fewer than three samples, or if a side does not vary. */
  r: number | null;
  /** Two-sided p for the hypothesis r = 0. */
  p: number | null;
  n: number;
}

/** A spread this small relative to the values is rounding error, not variance. */
export const roundingShare = 1e-24;

/**
 * Pearson's correlation of pairs with its two-sided p (t-test with n − 2 degrees of freedom). Null for fewer than
 * three pairs, or if a side has no variance. Linear.
 * Source: docs/spec/statistics.md, Pearson correlation.
 * @example pearson([1, 2, 3], [2, 4, 6]) // { r: 1, p: 0, n: 3 }
 */
export function pearson(x: readonly number[], y: readonly number[]): Correlation {
  const n = x.length;
  const [meanX, meanY] = [sum(x) / n, sum(y) / n];
  let [xx, yy, xy] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const [dx, dy] = [x[i]! - meanX, y[i]! - meanY];
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  return correlationOf(n, { xx, yy, xy }, [meanX, meanY]);
}

/** Sums over pairs from which their correlation can be computed. */
export interface PairSums {
  n: number;
  x: number;
  y: number;
  xx: number;
  yy: number;
  xy: number;
}

/**
 * Pearson's correlation from sums of values, squares and products, for more pairs than fit in memory. The relative
 * error is larger by the square of mean / spread.
 * @example pearsonOfSums({ n: 3, x: 6, y: 12, xx: 14, yy: 56, xy: 28 }) // { r: 1, p: 0, n: 3 }
 */
export function pearsonOfSums({ n, x, y, xx, yy, xy }: PairSums): Correlation {
  const centred = { xx: xx - (x * x) / n, yy: yy - (y * y) / n, xy: xy - (x * y) / n };
  return correlationOf(n, centred, [x / n, y / n], 1e-12);
}

function correlationOf(
  n: number,
  { xx, yy, xy }: { xx: number; yy: number; xy: number },
  [meanX, meanY]: [number, number],
  rounding = roundingShare,
): Correlation {
  const varies = (squares: number, mean: number) => squares > n * mean * mean * rounding;
  if (n < 3 || !varies(xx, meanX) || !varies(yy, meanY)) return { r: null, p: null, n };
  const r = Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)));
  const t = r * Math.sqrt((n - 2) / ((1 - r) * (1 + r)));
  return { r, p: Math.abs(r) === 1 ? 0 : studentTwoSided(t, n - 2), n };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
