import type { MetricComparison } from "../../../contracts/boards/comparison.ts";

type Pair = MetricComparison["pairs"][number];

/** A pair, the run with the higher rank first; all figures are the first minus the second. */
export interface OrientedPair extends Omit<Pair, "a" | "b"> {
  first: string;
  second: string;
  /** Share of samples on which the first is better, ties half. */
  winRate: number;
}

const negative = (value: number | null): number | null => (value === null ? null : 0 - value);

function turned(pair: Pair): Omit<Pair, "a" | "b"> {
  const { difference } = pair;
  return {
    ...pair,
    difference: {
      value: 0 - difference.value,
      interval: difference.interval && [0 - difference.interval[1], 0 - difference.interval[0]],
    },
    t: negative(pair.t),
    cohensD: negative(pair.cohensD),
    dz: negative(pair.dz),
    winRate: 1 - pair.winRate,
  };
}

/** Every pair of a metric in the order of its standings: first the best run with the second. */
export function orientedPairs({
  standings,
  pairs,
  better,
}: Pick<MetricComparison, "standings" | "pairs" | "better">): OrientedPair[] {
  const byRuns = new Map(pairs.map((pair) => [`${pair.a}\n${pair.b}`, pair]));
  return standings.flatMap(({ run: first }, i) =>
    standings.slice(i + 1).flatMap(({ run: second }) => {
      const same = byRuns.get(`${first}\n${second}`);
      const other = byRuns.get(`${second}\n${first}`);
      const figures = same ?? (other && turned(other));
      if (!figures) return [];
      // In the API, the win rate counts higher values.
      const winRate = better === "higher" ? figures.winRate : 1 - figures.winRate;
      return [{ ...figures, first, second, winRate }];
    }),
  );
}

/** Stars for a significance level after Holm's correction. */
export const starsOf = (significantAt: Pair["significantAt"]): string =>
  significantAt === null ? "" : significantAt === 0.01 ? "**" : "*";
