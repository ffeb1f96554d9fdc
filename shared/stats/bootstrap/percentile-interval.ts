import quickselect from "quickselect";
import { tailShare } from "./tail-share.ts";

/**
 * Two outer percentiles (type 7) of several streams of finite numbers. Keeps only numbers that may be among the
 * outermost, so 10,000 numbers need the memory of about 1,000 and are never sorted. Non-finite numbers are ignored.
 * Constant time for each number on average.
 * Source: docs/spec/statistics.md, percentile and bootstrap interval.
 * @example intervals.add(Float64Array.of(3, 5), 0); intervals.ends() // [[3, 3], [5, 5]]
 */
export class PercentileIntervals {
  readonly #tail: number;
  /** By stream: how many numbers, the smallest ones, and the largest ones, negated. */
  readonly #counts: Float64Array;
  readonly #lowest: Least;
  readonly #highest: Least;

  /** `most`: maximum count of numbers of a stream. `tail`: share of them below the lower end, and above the upper one. */
  constructor(streams: number, most: number, tail: number) {
    this.#tail = tail;
    this.#counts = new Float64Array(streams);
    const room = Math.floor(Math.max(0, most - 1) * tail) + 2;
    this.#lowest = new Least(streams, room);
    this.#highest = new Least(streams, room);
  }

  /** Adds a number to each stream: those of `values` from index `from` on. */
  add(values: Float64Array, from: number): void {
    const counts = this.#counts;
    const [lows, highs] = [this.#lowest, this.#highest];
    for (let k = 0; k < counts.length; k++) {
      const value = values[from + k]!;
      if (!Number.isFinite(value)) continue;
      counts[k]! += 1;
      if (value < lows.limits[k]!) lows.add(k, value);
      if (-value < highs.limits[k]!) highs.add(k, -value);
    }
  }

  /** The two percentiles of each stream; null for one without numbers. */
  ends(): ([low: number, high: number] | null)[] {
    return Array.from(this.#counts, (count, k) => {
      if (count === 0) return null;
      const last = count - 1;
      const [lowest, highest] = [this.#lowest.sorted(k), this.#highest.sorted(k)];
      return [
        between((i) => lowest[i]!, this.#tail * last, last),
        between((i) => -highest[last - i]!, (1 - this.#tail) * last, last),
      ];
    });
  }
}

/**
 * The number at rank `rank` (from 0) of sorted ones, interpolated; `last`: the highest rank.
 * @example between((i) => [2, 4][i]!, 0.5, 1) // 3
 */
export function between(at: (i: number) => number, rank: number, last: number): number {
  const below = Math.floor(rank);
  const low = at(below);
  return low + (at(Math.min(below + 1, last)) - low) * (rank - below);
}

/** Keeps the smallest numbers of each stream. */
class Least {
  readonly #room: number;
  readonly #kept: Float64Array[];
  readonly #counts: Int32Array;
  /** By stream: at least `room` of its numbers are at or below this. */
  readonly limits: Float64Array;

  constructor(streams: number, room: number) {
    this.#room = room;
    this.#kept = Array.from({ length: streams }, () => new Float64Array(2 * room));
    this.#counts = new Int32Array(streams);
    this.limits = new Float64Array(streams).fill(Number.POSITIVE_INFINITY);
  }

  /** `value`: below the limit of the stream. */
  add(stream: number, value: number): void {
    const kept = this.#kept[stream]!;
    const count = this.#counts[stream]! + 1;
    kept[count - 1] = value;
    this.#counts[stream] = count;
    if (count < kept.length) return;
    quickselect(kept, this.#room - 1);
    this.#counts[stream] = this.#room;
    this.limits[stream] = kept[this.#room - 1]!;
  }

  sorted(stream: number): Float64Array {
    return this.#kept[stream]!.slice(0, this.#counts[stream]).sort();
  }
}

/**
 * The 95% interval of a figure from its resampled values: the percentiles that `tailShare` gives for `units`
 * resampled units; without `units` the 2.5th and the 97.5th. Non-finite values are ignored. Null without values.
 * Linear on average.
 * Source: docs/spec/statistics.md, percentile and bootstrap interval.
 * @example percentileInterval(Float64Array.of(3, 1, 2)) // [1.05, 2.95]
 */
export function percentileInterval(
  values: Float64Array,
  units = Number.POSITIVE_INFINITY,
): [low: number, high: number] | null {
  const interval = new PercentileIntervals(1, values.length, tailShare(units));
  for (let i = 0; i < values.length; i++) interval.add(values, i);
  return interval.ends()[0] ?? null;
}
