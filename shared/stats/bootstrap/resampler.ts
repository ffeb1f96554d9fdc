import { seedState } from "../xoshiro128.ts";

/**
 * Draws resamples of units 0..n−1 with replacement. Each call makes n draws and writes into `times` (length n) how
 * often each unit was drawn. Inlines `xoshiro128` and `drawIndex`, because a run of 10,000 samples needs 100 million
 * draws.
 * Source: docs/spec/statistics.md, bootstrap interval.
 * @example resampler("run-1")(new Float64Array(4)) // times: [2, 0, 1, 1], say
 */
export function resampler(seed: string): (times: Float64Array) => void {
  const state = Int32Array.from(seedState(seed));
  return (times) => {
    const scale = times.length / 4294967296;
    let [a, b, c, d] = state as unknown as [number, number, number, number];
    times.fill(0);
    for (let i = times.length; i > 0; i--) {
      const product = Math.imul(b, 5);
      const u32 = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
      const shifted = b << 9;
      c ^= a;
      d ^= b;
      b ^= c;
      a ^= d;
      c ^= shifted;
      d = (d << 11) | (d >>> 21);
      times[(u32 * scale) | 0]! += 1;
    }
    state[0] = a;
    state[1] = b;
    state[2] = c;
    state[3] = d;
  };
}
