import { type Uint32Source, xoshiro128 } from "../../shared/stats/xoshiro128.ts";

/** The frequency of an event in simulations, and its bounds. */
export interface Check {
  group: string;
  what: string;
  /** Number of simulations, and of those with the event. */
  of: number;
  happened: number;
  /** Bounds of the share, 0–1. */
  least?: number;
  most?: number;
  /** Mean width of an interval, in the unit of its metric. */
  width?: number;
}

/** Whether a share is within its bounds, with a tolerance of `errors` standard errors. */
export function holds({ of, happened, least = 0, most = 1 }: Check, errors: number): boolean {
  const share = happened / of;
  const slack = (bound: number) => errors * Math.sqrt((bound * (1 - bound)) / of);
  return share >= least - slack(least) && share <= most + slack(most);
}

/** Seeded random draws for simulations. */
export class Draws {
  readonly #source: Uint32Source;
  constructor(seed: string) {
    this.#source = xoshiro128(seed);
  }
  /** A uniform number between 0 and 1, exclusive. */
  uniform(): number {
    return (this.#source() + 0.5) / 2 ** 32;
  }
  isOne(share: number): boolean {
    return this.uniform() < share;
  }
  /** A standard normal number (Box and Muller 1958). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
  }
  /** A beta-distributed number for whole parameters: an order statistic of uniform numbers. */
  beta(a: number, b: number): number {
    const all = Float64Array.from({ length: a + b - 1 }, () => this.uniform()).sort();
    return all[a - 1]!;
  }
  list<T>(count: number, make: (i: number) => T): T[] {
    return Array.from({ length: count }, (_, i) => make(i));
  }
}

export const clamped = (score: number): number => Math.min(1, Math.max(0, score));
