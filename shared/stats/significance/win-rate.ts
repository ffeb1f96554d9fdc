/**
 * Share of common samples on which `a` scores higher than `b`, ties counted half: 0–1, 0.5 when they
 * are even; null without samples. Scores closer than 1e-12 tie. Linear.
 * Source: docs/spec/statistics.md, win rate.
 * @example winRate([1, 0.5, 0], [0, 0.5, 0.5]) // 0.5
 */
export function winRate(a: readonly number[], b: readonly number[]): number | null {
  if (a.length === 0) return null;
  let won = 0;
  for (let i = 0; i < a.length; i++) {
    const difference = a[i]! - b[i]!;
    won += Math.abs(difference) <= 1e-12 ? 0.5 : Number(difference > 0);
  }
  return won / a.length;
}
