import type { LeaderboardEntry, LeaderboardTests } from "#shared/contracts/leaderboard.ts";
import type { RunScores } from "#shared/contracts/run-scores.ts";
import { addRun, type ScoreTable, scoreTable } from "#shared/measures/comparison/score-table.ts";
import { type RankingMetric, rankRuns } from "#shared/measures/comparison/standings.ts";
import type { Ports } from "../platform/ports.ts";
import { type SummedRun, scoresKey } from "../runs/run-objects.ts";

/** Runs from the top that are compared with one another; every pair is tested. */
export const MOST_COMPARED = 100;

/** Entries whose p-values are published: as many as a comparison holds, and as a map of wins can show. */
const MOST_PUBLISHED = 20;

/** Where the ranked runs of a board stand to one another. */
export interface BoardStandings {
  /** Samples that all of them have. */
  samples: number;
  byRun: ReadonlyMap<string, Standing>;
  /** The tests behind tie groups; `order` are the runs as the board lists them. */
  tests(order: readonly string[]): LeaderboardTests;
}

/** A run's place among those compared: its rank is that of what was resampled. */
type Standing = Pick<LeaderboardEntry, "rankInterval" | "best" | "tieGroup"> & { rank: number };

/**
 * Compares the first ranked runs of a board on its headline metric, over the samples that all of them have:
 * ranks from the same resamples, groups from corrected paired tests.
 */
export async function boardStandings(
  ports: Ports,
  runs: readonly SummedRun[],
  metric: RankingMetric,
  boardId: string,
): Promise<BoardStandings | null> {
  const table = await readHeadlines(ports, runs, metric);
  const ranked = table && rankRuns(table, metric, boardId);
  if (!ranked) return null;
  const standings = ranked.standings.map(({ run, value, rankInterval, best, tieGroup }) => {
    const rank = 1 + ranked.standings.findIndex((other) => isSame(other.value, value));
    return [run, { rank, rankInterval, best, tieGroup }] as const;
  });
  const { samples, units, tests: count, pHolm } = ranked;
  return {
    samples,
    byRun: new Map(standings),
    tests: (order) => {
      const first = order.slice(0, MOST_PUBLISHED);
      const rows = first.map((run, i) => first.slice(0, i).map((above) => pHolm(run, above)));
      return { count, units, pHolm: rows };
    },
  };
}

/** Values this close are equal but for the order of adding. */
const isSame = (a: number, b: number) => Math.abs(a - b) <= 1e-12;

/** One run after the other: of each only what the headline follows from stays in memory. */
async function readHeadlines(
  ports: Ports,
  runs: readonly SummedRun[],
  { id, composite }: RankingMetric,
): Promise<ScoreTable | null> {
  const metrics = [id, ...(composite?.parts ?? [])];
  let table: ScoreTable | null = null;
  for (const run of runs) {
    const scores = await ports.objects.get<RunScores>(scoresKey(run));
    if (scores === null) throw new Error(`run ${run.id} has no scores by sample`);
    table ??= scoreTable(scores);
    addRun(table, run.id, scores, { metrics, lacking: "failed" });
  }
  return table;
}
