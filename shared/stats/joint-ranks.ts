import { percentile } from "./percentile.ts";
import { resampler } from "./resampler.ts";

/** Where a model stands when samples are drawn anew. */
export interface RankSpread {
  /** 2.5th and 97.5th percentile of its rank, 1 the best. */
  interval: [best: number, worst: number];
  /** Share of the draws in which it came first, shared firsts split, 0–1. */
  best: number;
}

/** Draws of a board of 20 models on 1,000 samples; larger boards get fewer, for bounded time. */
const DRAWS = 10_000;
const DRAWS_MIN = 1_000;
const WORK_MAX = 1e9;

/**
 * Rank intervals and P(best) by joint resampling: in each draw the same samples are drawn for all
 * models, and the models ranked by their mean, equal means sharing the best rank. `scores[m]` holds
 * model m's score by sample, all on the same samples, higher being better. Below two samples every
 * rank is possible. O(draws · samples · models), draws falling from 10,000 to 1,000 above 10⁹.
 * Source: specification of statistics, rank interval.
 * @example jointRanks([[1, 1], [0, 0]], "board")[0] // { interval: [1, 1], best: 1 }
 */
export function jointRanks(scores: readonly ArrayLike<number>[], seed: string): RankSpread[] {
  const models = scores.length;
  const samples = scores[0]?.length ?? 0;
  if (samples < 2) {
    return scores.map(() => ({ interval: [1, models], best: 1 / models }));
  }
  const draws = drawsFor(models * samples);
  const ranks = scores.map(() => new Float64Array(draws));
  const firsts = new Float64Array(models);
  const sums = new Float64Array(models);
  const times = new Int32Array(samples);
  const resample = resampler(seed);
  for (let draw = 0; draw < draws; draw++) {
    resample(times);
    for (let m = 0; m < models; m++) sums[m] = weightedSum(scores[m]!, times);
    rankInto(sums, ranks, draw, firsts);
  }
  return ranks.map((drawn, m) => ({ interval: ends(drawn), best: firsts[m]! / draws }));
}

const drawsFor = (work: number) =>
  Math.max(DRAWS_MIN, Math.min(DRAWS, Math.floor(WORK_MAX / work)));

function weightedSum(scores: ArrayLike<number>, times: Int32Array): number {
  let sum = 0;
  for (let i = 0; i < times.length; i++) sum += scores[i]! * times[i]!;
  return sum;
}

/** Sums this close, relative to the samples, are equal but for the order of adding. */
const EQUAL = 1e-9;

function rankInto(
  sums: Float64Array,
  ranks: readonly Float64Array[],
  draw: number,
  firsts: Float64Array,
): void {
  const order = Array.from(sums.keys()).sort((a, b) => sums[b]! - sums[a]!);
  let rank = 1;
  order.forEach((m, place) => {
    const before = order[place - 1];
    if (before !== undefined && sums[before]! - sums[m]! > EQUAL) rank = place + 1;
    ranks[m]![draw] = rank;
  });
  const shared = order.filter((m) => ranks[m]![draw] === 1);
  for (const m of shared) firsts[m]! += 1 / shared.length;
}

function ends(drawn: Float64Array): [number, number] {
  drawn.sort();
  return [percentile(drawn, 0.025) ?? 1, percentile(drawn, 0.975) ?? 1];
}
