import { tails } from "./tails.ts";

/** Where a model stands when samples are drawn anew. */
export interface RankSpread {
  /** 2.5th and 97.5th percentile of its rank, 1 the best. */
  interval: [best: number, worst: number];
  /** Share of the draws in which it came first, shared firsts split, 0–1. */
  best: number;
}

/** Means this close are equal but for the order of adding. */
const EQUAL = 1e-12;

/**
 * Rank intervals and P(best) from joint draws: in each the models are ranked by their mean, higher
 * first, equal means sharing the best rank. `draws[m]` holds model m's mean by draw. Without draws
 * every rank is possible. O(draws · models log models).
 * Source: specification of statistics, rank interval.
 * @example rankSpread(jointMeans([a, b], "board"))[0] // { interval: [1, 1], best: 1 }
 */
export function rankSpread(draws: readonly Float64Array[]): RankSpread[] {
  const models = draws.length;
  const count = draws[0]?.length ?? 0;
  if (count === 0) return draws.map(() => ({ interval: [1, models], best: 1 / models }));
  const ranks = draws.map(() => new Float64Array(count));
  const firsts = new Float64Array(models);
  const order = draws.map((_, m) => m);
  for (let draw = 0; draw < count; draw++) {
    order.sort((a, b) => draws[b]![draw]! - draws[a]![draw]!);
    rankDraw(draws, order, draw, ranks);
    const shared = order.filter((m) => ranks[m]![draw] === 1);
    for (const m of shared) firsts[m]! += 1 / shared.length;
  }
  return ranks.map((drawn, m) => ({
    interval: tails(drawn) ?? [1, models],
    best: firsts[m]! / count,
  }));
}

function rankDraw(
  draws: readonly Float64Array[],
  order: readonly number[],
  draw: number,
  ranks: readonly Float64Array[],
): void {
  let rank = 1;
  order.forEach((m, place) => {
    const before = order[place - 1];
    if (before !== undefined && draws[before]![draw]! - draws[m]![draw]! > EQUAL) rank = place + 1;
    ranks[m]![draw] = rank;
  });
}
