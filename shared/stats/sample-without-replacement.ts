import { drawIndex, xoshiro128 } from "./xoshiro128.ts";

/**
 * `n` of the integers 0..count−1, drawn by `seed` without replacement (partial Fisher–Yates), ascending. All of them
 * if n ≥ count. O(count).
 * @example sampleWithoutReplacement(5, 2, "7") // the same two every time
 */
export function sampleWithoutReplacement(count: number, n: number, seed: string): number[] {
  const all = Array.from({ length: count }, (_, i) => i);
  if (n >= count) return all;
  const source = xoshiro128(seed);
  for (let i = 0; i < n; i++) {
    const j = i + drawIndex(source, count - i);
    const moved = all[i] as number;
    all[i] = all[j] as number;
    all[j] = moved;
  }
  return all.slice(0, n).sort((a, b) => a - b);
}
