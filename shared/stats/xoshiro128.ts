import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

/** Draws unsigned 32-bit integers. */
export type Uint32Source = () => number;

/**
 * xoshiro128** (Blackman and Vigna, 2018, https://prng.di.unimi.it/xoshiro128starstar.c), its state
 * the first 128 bits of SHA-256 of `seed`, as four little-endian words. The same seed always draws
 * the same numbers.
 * @example xoshiro128("run")() // the same u32 on every machine
 */
export function xoshiro128(seed: string): Uint32Source {
  const digest = new DataView(sha256(utf8ToBytes(seed)).buffer);
  let a = digest.getUint32(0, true);
  let b = digest.getUint32(4, true);
  let c = digest.getUint32(8, true);
  let d = digest.getUint32(12, true);
  return () => {
    const product = Math.imul(b, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return result;
  };
}

/** An integer in 0..n−1, as `floor(u32 · n / 2³²)`. */
export function drawIndex(source: Uint32Source, n: number): number {
  return Math.floor((source() * n) / 4294967296);
}
