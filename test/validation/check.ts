import { type Uint32Source, xoshiro128 } from "../../shared/stats/xoshiro128.ts";

/** How often something happened in simulations, and how often it may. */
export interface Check {
  group: string;
  what: string;
  /** Number of simulations, and of those in which it happened. */
  of: number;
  happened: number;
  /** Bounds of the share, 0–1. */
  least?: number;
  most?: number;
  /** Mean width of an interval, in the unit of its figure. */
  width?: number;
}

/** Whether a share is within its bounds; `errors`: by how many standard errors it may miss them. */
export function holds({ of, happened, least = 0, most = 1 }: Check, errors: number): boolean {
  const share = happened / of;
  const slack = (bound: number) => errors * Math.sqrt((bound * (1 - bound)) / of);
  return share >= least - slack(least) && share <= most + slack(most);
}

/** Draws for simulations, the same for the same seed. */
export class Draws {
  readonly #source: Uint32Source;
  constructor(seed: string) {
    this.#source = xoshiro128(seed);
  }
  /** Between 0 and 1, without both. */
  uniform(): number {
    return (this.#source() + 0.5) / 2 ** 32;
  }
  isOne(share: number): boolean {
    return this.uniform() < share;
  }
  /** Of mean 0 and standard deviation 1 (Box and Muller 1958). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
  }
  /** Beta with whole parameters: an order statistic of uniform numbers. */
  beta(a: number, b: number): number {
    const all = Float64Array.from({ length: a + b - 1 }, () => this.uniform()).sort();
    return all[a - 1]!;
  }
  list<T>(count: number, make: (i: number) => T): T[] {
    return Array.from({ length: count }, (_, i) => make(i));
  }
}

export const clamped = (score: number): number => Math.min(1, Math.max(0, score));
