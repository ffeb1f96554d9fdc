import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

/** Draws unsigned 32-bit integers. */
export type Uint32Source = () => number;

/** The four 32-bit words of a generator. */
export type XoshiroState = [number, number, number, number];

/**
 * The initial state of a generator: the first 128 bits of the SHA-256 of the UTF-8 of `seed`, as four little-endian
 * words.
 * Source: docs/spec/statistics.md, bootstrap interval.
 * @example seedState("run") // the same four words on every machine
 */
export function seedState(seed: string): XoshiroState {
  const digest = new DataView(sha256(utf8ToBytes(seed)).buffer);
  const word = (at: number) => digest.getUint32(at, true) | 0;
  return [word(0), word(4), word(8), word(12)];
}

/**
 * xoshiro128** (Blackman and Vigna, 2018, https://prng.di.unimi.it/xoshiro128starstar.c). The same
 * seed always draws the same numbers.
 * @example xoshiro128("run")() // the same u32 on every machine
 */
export function xoshiro128(seed: string): Uint32Source {
  let [a, b, c, d] = seedState(seed);
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

/**
 * An integer in 0..n−1, as `floor(u32 · n / 2³²)`; n is up to 2³².
 * Source: docs/spec/statistics.md, bootstrap interval.
 * @example drawIndex(xoshiro128("run"), 6) // 0 to 5, the same on every machine
 */
export function drawIndex(source: Uint32Source, n: number): number {
  return Math.floor((source() * n) / 4294967296);
}
