import { between } from "./percentile-interval.ts";

/** Ranks of a model over bootstrap draws of the samples. */
export interface RankSpread {
  /**
   * 2.5th percentile of its best rank and 97.5th of its worst rank in the draws (they differ if means are equal); 1
   * is the best.
   */
  interval: [best: number, worst: number];
  /** Share of the draws in which it ranked first, 0–1; equal firsts share a draw. */
  best: number;
}

/** The best and worst rank at each place, or how often a model had each rank as best and as worst. */
interface Ranks {
  best: Uint32Array;
  worst: Uint32Array;
}

/** A difference this small is rounding error. */
const EQUAL = 1e-12;

/**
 * Rank intervals and P(best) from joint draws. In each draw models are ranked by their mean, higher first. Models
 * with equal means share their ranks and the first place: two models that are equal in every draw have the interval
 * 1–2 and 0.5 each. `draws[m]` holds the means of model m. Without draws every rank is possible. O(draws · models log
 * models).
 * Source: docs/spec/statistics.md, rank interval.
 * @example rankSpread(jointMeans([a, b], "board"))[0] // { interval: [1, 1], best: 1 }
 */
export function rankSpread(draws: readonly Float64Array[]): RankSpread[] {
  const models = draws.length;
  const count = draws[0]?.length ?? 0;
  if (count === 0) return draws.map(() => ({ interval: [1, models], best: 1 / models }));
  const times = draws.map(() => noRanks(models + 1));
  const bounds = noRanks(models);
  const firsts = new Float64Array(models);
  const values = new Float64Array(models);
  for (let draw = 0; draw < count; draw++) {
    for (let m = 0; m < models; m++) values[m] = draws[m]![draw]!;
    equalRanks(values, bounds);
    const shared = bounds.worst[0]!;
    for (let m = 0; m < models; m++) {
      const place = models - 1 - placeOf(draws[m]![draw]!, values);
      times[m]!.best[bounds.best[place]!]! += 1;
      times[m]!.worst[bounds.worst[place]!]! += 1;
      if (bounds.best[place] === 1) firsts[m]! += 1 / shared;
    }
  }
  return times.map(({ best, worst }, m) => ({
    interval: [
      between((i) => rankAt(best, i), 0.025 * (count - 1), count - 1),
      between((i) => rankAt(worst, i), 0.975 * (count - 1), count - 1),
    ],
    best: firsts[m]! / count,
  }));
}

/** The rank at index `i` of all drawn ranks in order; `times` counts each rank. */
function rankAt(times: Uint32Array, i: number): number {
  let rank = 0;
  for (let before = 0; before <= i; rank++) before += times[rank]!;
  return rank - 1;
}

const noRanks = (count: number): Ranks => ({
  best: new Uint32Array(count),
  worst: new Uint32Array(count),
});

/** Sorts `values`, lowest first; for each place, highest first, sets the best and worst rank of equal values. */
function equalRanks(values: Float64Array, { best, worst }: Ranks): void {
  values.sort();
  const count = values.length;
  for (let place = 0, first = 0; place < count; place++) {
    if (place > 0 && isApart(values, place)) first = place;
    best[place] = first + 1;
  }
  for (let place = count - 1, last = place; place >= 0; place--) {
    if (place < count - 1 && isApart(values, place + 1)) last = place;
    worst[place] = last + 1;
  }
}

/** Whether the values at a place and at the one before it differ, places from the highest value on. */
const isApart = (sorted: Float64Array, place: number): boolean =>
  sorted[sorted.length - place]! - sorted[sorted.length - 1 - place]! > EQUAL;

/** An index of `value` in sorted values. */
function placeOf(value: number, sorted: Float64Array): number {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
