import type { JudgingStudy } from "../../contracts/boards/judging-study.ts";
import { bootstrapMean } from "../../stats/bootstrap/bootstrap-mean.ts";
import { commonSamples } from "../comparison/common-samples.ts";
import { eachPair, type MeasuredRun, measuredRuns } from "../comparison/measured-runs.ts";
import type { ScoreTable } from "../comparison/score-table.ts";
import type { RankingMetric } from "../comparison/standings.ts";
import { shareInterval } from "../run-sums/interval-of.ts";

/** Differences below this are rounding error. */
const EQUAL = 1e-12;

/** Ranks of models in each judging; models and judgings by index. */
export interface StudiedRanks {
  samples: number;
  /** By model and judging. */
  results: { value: number; rank: number }[][];
  /** By model: the number of judgings in which it ranks first, alone or tied. */
  first: number[];
  /** By judging. */
  longerWins: JudgingStudy["judgings"][number]["longerWins"][];
  variance: JudgingStudy["variance"];
}

/**
 * Ranks of several models in several judgings of the same answers. The table has the runs model by model, each with all
 * judgings in the same order. `lengths`: by model, the length of its answer to a sample, undefined if unknown. Null
 * without common samples. O(resamples · (samples · runs + judgings · models log models)).
 *
 * The variance of ranks is that of a fully crossed design, model × judging × resample: sums of squares of models,
 * models × judgings, models × resamples, and the rest, as shares of the total.
 * Source: Brennan 2001, Generalizability Theory, ch. 3; docs/spec/statistics.md, how much the judging decides.
 * @example studyRanks(table, { id: "mcs", better: "higher" }, 2, [], "study")?.variance?.judgings // 0–1
 */
export function studyRanks(
  table: ScoreTable,
  { id, better, composite }: RankingMetric,
  judgings: number,
  lengths: readonly ReadonlyMap<string, number>[],
  seed: string,
): StudiedRanks | null {
  const common = commonSamples(table, id, composite?.parts);
  const measured = measuredRuns(table, common, seed, composite);
  if (measured === null) return null;
  const sign = better === "higher" ? 1 : -1;
  const models = measured.length / judgings;
  const grid = Array.from({ length: models }, (_, m) =>
    measured.slice(m * judgings, (m + 1) * judgings),
  );
  const values = grid.map((runs) => runs.map(({ value }) => value));
  const places = Array.from({ length: judgings }, (_, j) => j);
  const byJudging = places.map((j) => ranksOf(values.map((its) => sign * its[j]!)));
  return {
    samples: common.ids.length,
    results: values.map((its, m) =>
      byJudging.map((ranks, j) => ({ value: its[j]!, rank: ranks[m]! })),
    ),
    first: grid.map((_, m) => byJudging.filter((ranks) => ranks[m] === Math.min(...ranks)).length),
    longerWins: places.map((j) => {
      const scores = grid.map((runs) => Array.from(runs[j]!.scores, (score) => sign * score));
      return longerWins(scores, common.ids, lengths, `${seed} ${j}`);
    }),
    variance: rankVariance(grid, sign),
  };
}

/**
 * Ranks of values, 1 for the highest; equal values share their mean rank.
 * @example ranksOf([0.5, 0.9, 0.5]) // [2.5, 1, 2.5]
 */
export const ranksOf = (values: readonly number[]): number[] =>
  values.map((value) => {
    const above = values.filter((other) => other - value > EQUAL).length;
    const equal = values.filter((other) => Math.abs(other - value) <= EQUAL).length;
    return above + (equal + 1) / 2;
  });

function rankVariance(
  grid: readonly (readonly MeasuredRun[])[],
  sign: number,
): JudgingStudy["variance"] {
  const judgings = grid[0]!.length;
  const draws = grid[0]![0]!.draws.length;
  const mean = (grid.length + 1) / 2;
  // Sums over the draws, by model and judging.
  const sums = grid.map((runs) => runs.map(() => 0));
  let [total, ofSamples] = [0, 0];
  for (let draw = 0; draw < draws; draw++) {
    const ranks = sums[0]!.map((_, j) => ranksOf(grid.map((runs) => sign * runs[j]!.draws[draw]!)));
    for (const [m, its] of sums.entries()) {
      const own = ranks.map((judged) => judged[m]! - mean);
      for (const [j, rank] of own.entries()) its[j]! += rank;
      total += squares(own);
      ofSamples += sumOf(own) ** 2 / judgings;
    }
  }
  if (total === 0) return null;
  const between = sumOf(sums.map((its) => sumOf(its) ** 2)) / (judgings * draws);
  const ofJudgings = sumOf(sums.map(squares)) / draws - between;
  const shareOf = (part: number) => Math.min(1, Math.max(0, part / total));
  return {
    models: shareOf(between),
    judgings: shareOf(ofJudgings),
    samples: shareOf(ofSamples - between),
    both: shareOf(total - ofSamples - ofJudgings),
  };
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const squares = (values: readonly number[]): number => sumOf(values.map((value) => value ** 2));

/** The share of pairs in which the longer answer scores higher: the mean over samples that have such pairs. */
function longerWins(
  scores: readonly (readonly number[])[],
  ids: readonly string[],
  lengths: readonly ReadonlyMap<string, number>[],
  seed: string,
) {
  const pairs = eachPair([...scores.keys()], (a, b) => [a, b] as const);
  const shares = ids.flatMap((id, i) => {
    const wins = pairs.flatMap(([a, b]) => {
      const longer = (lengths[a]?.get(id) ?? Number.NaN) - (lengths[b]?.get(id) ?? Number.NaN);
      if (Number.isNaN(longer) || longer === 0) return [];
      const higher = scores[a]![i]! - scores[b]![i]!;
      return Math.abs(higher) <= EQUAL ? 0.5 : Number(Math.sign(higher) === Math.sign(longer));
    });
    return wins.length === 0 ? [] : sumOf(wins) / wins.length;
  });
  if (shares.length === 0) return null;
  const value = sumOf(shares) / shares.length;
  return { value, interval: shareInterval(bootstrapMean(shares, seed), value, shares.length) };
}
