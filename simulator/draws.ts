import { drawIndex, xoshiro128 } from "../shared/stats/xoshiro128.ts";

/** Seeded random choices: equal seeds give equal choices. */
export interface Draws {
  /** A number in 0..1, 1 excluded. */
  unit(): number;
  /** An integer in 0..n−1. */
  index(n: number): number;
  /** True with probability `rate`; a rate of 0 draws nothing. */
  chance(rate: number): boolean;
  /** One of `items`, which must not be empty. */
  pick<T>(items: readonly T[]): T;
}

/**
 * Choices with a seed of all `parts`.
 * @example drawsFrom("seed", "sim-large", 1).index(6) // the same die roll on every machine
 */
export function drawsFrom(...parts: readonly (string | number | null)[]): Draws {
  const source = xoshiro128(parts.join("\u001f"));
  const unit = () => source() / 4294967296;
  return {
    unit,
    index: (n) => drawIndex(source, n),
    chance: (rate) => rate > 0 && unit() < rate,
    pick: <T>(items: readonly T[]) => items[drawIndex(source, items.length)] as T,
  };
}

/** A draw from the standard normal distribution (Box and Muller, 1958). */
export function drawNormal(draws: Draws): number {
  const radius = Math.sqrt(-2 * Math.log(1 - draws.unit()));
  return radius * Math.cos(2 * Math.PI * draws.unit());
}
