import { percentileInterval } from "./percentile-interval.ts";

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
  const ranks = draws.map(() => ({
    best: new Float64Array(count),
    worst: new Float64Array(count),
  }));
  const firsts = new Float64Array(models);
  const order = draws.map((_, m) => m);
  for (let draw = 0; draw < count; draw++) {
    order.sort((a, b) => draws[b]![draw]! - draws[a]![draw]!);
    rankDraw(draws, order, draw, ranks);
    const shared = order.filter((m) => ranks[m]!.best[draw] === 1);
    for (const m of shared) firsts[m]! += 1 / shared.length;
  }
  return ranks.map((drawn, m) => ({
    interval: [
      percentileInterval(drawn.best)?.[0] ?? 1,
      percentileInterval(drawn.worst)?.[1] ?? models,
    ],
    best: firsts[m]! / count,
  }));
}

function rankDraw(
  draws: readonly Float64Array[],
  order: readonly number[],
  draw: number,
  ranks: readonly { best: Float64Array; worst: Float64Array }[],
): void {
  const isApart = (above: number, below: number) =>
    draws[order[above]!]![draw]! - draws[order[below]!]![draw]! > EQUAL;
  let first = 0;
  for (let place = 0; place < order.length; place++) {
    if (place > 0 && isApart(place - 1, place)) first = place;
    ranks[order[place]!]!.best[draw] = first + 1;
  }
  let last = order.length - 1;
  for (let place = last; place >= 0; place--) {
    if (place < order.length - 1 && isApart(place, place + 1)) last = place;
    ranks[order[place]!]!.worst[draw] = last + 1;
  }
}
