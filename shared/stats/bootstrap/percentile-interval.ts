import quickselect from "quickselect";
import { tailShare } from "./tail-share.ts";

/**
 * Two outer percentiles (type 7) of a stream of finite numbers. Keeps only numbers that may be among the
 * outermost, so 10,000 numbers need the memory of about 1,000 and are never sorted. Non-finite numbers are ignored.
 * Constant time for each number on average.
 * Source: docs/spec/statistics.md, percentile and bootstrap interval.
 * @example keeper.add(3); keeper.add(1); keeper.add(2); keeper.ends() // [1.05, 2.95]
 */
export class PercentileInterval {
  readonly #lowest: Least;
  /** The largest numbers, negated. */
  readonly #highest: Least;
  readonly #tail: number;
  #count = 0;

  /** `most`: maximum count of numbers. `tail`: share of them below the lower end, and above the upper one. */
  constructor(most: number, tail: number) {
    this.#tail = tail;
    const room = Math.floor(Math.max(0, most - 1) * tail) + 2;
    this.#lowest = new Least(room);
    this.#highest = new Least(room);
  }

  add(value: number): void {
    if (!Number.isFinite(value)) return;
    this.#count++;
    this.#lowest.add(value);
    this.#highest.add(-value);
  }

  /** The two percentiles; null without numbers. */
  ends(): [low: number, high: number] | null {
    if (this.#count === 0) return null;
    const last = this.#count - 1;
    const [lowest, highest] = [this.#lowest.sorted(), this.#highest.sorted()];
    return [
      between((i) => lowest[i]!, this.#tail * last, last),
      between((i) => -highest[last - i]!, (1 - this.#tail) * last, last),
    ];
  }
}

/** The number at rank `rank` (from 0), interpolated. */
function between(at: (i: number) => number, rank: number, last: number): number {
  const below = Math.floor(rank);
  const low = at(below);
  return low + (at(Math.min(below + 1, last)) - low) * (rank - below);
}

/** Keeps the smallest of the added numbers. */
class Least {
  readonly #room: number;
  readonly #kept: Float64Array;
  #count = 0;
  /** At least `room` of the added numbers are at or below this. */
  #limit = Number.POSITIVE_INFINITY;

  constructor(room: number) {
    this.#room = room;
    this.#kept = new Float64Array(2 * room);
  }

  add(value: number): void {
    if (value >= this.#limit) return;
    this.#kept[this.#count++] = value;
    if (this.#count < this.#kept.length) return;
    quickselect(this.#kept, this.#room - 1);
    this.#count = this.#room;
    this.#limit = this.#kept[this.#room - 1]!;
  }

  sorted(): Float64Array {
    return this.#kept.slice(0, this.#count).sort();
  }
}

/**
 * The 95% interval of which `values` are the resampled figures: the percentiles that `tailShare` gives for `units`
 * resampled units; without `units` the 2.5th and the 97.5th. Non-finite values are ignored. Null without values.
 * Linear on average.
 * Source: docs/spec/statistics.md, percentile and bootstrap interval.
 * @example percentileInterval(Float64Array.of(3, 1, 2)) // [1.05, 2.95]
 */
export function percentileInterval(
  values: Float64Array,
  units = Number.POSITIVE_INFINITY,
): [low: number, high: number] | null {
  const keeper = new PercentileInterval(values.length, tailShare(units));
  for (const value of values) keeper.add(value);
  return keeper.ends();
}
