import { coverageFloor, coverageReason } from "#shared/contracts/boards/coverage-floor.ts";
import type { LeaderboardEntry, LeaderboardTests } from "#shared/contracts/boards/leaderboard.ts";
import type { RunScores } from "#shared/contracts/runs/run-scores.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import { addRun, type ScoreTable, scoreTable } from "#shared/measures/comparison/score-table.ts";
import { type RankingMetric, rankRuns } from "#shared/measures/comparison/standings.ts";
import type { Platform } from "../platform/platform.ts";
import { type SummedRun, scoresKey } from "../runs/run-objects.ts";

/** The position of an entry on its board. */
export type Standing = Pick<
  LeaderboardEntry,
  "rank" | "unrankedReason" | "rankInterval" | "best" | "tieGroup"
>;

/** The fields that rank an entry. */
interface Rankable {
  model: { slug: string };
  headline: { value: number | null; coverage: number };
  /** Submitted answers with an unknown prompt are not comparable. */
  promptDeclared: boolean;
  /** Judgments by another judge than the board's are not comparable either. */
  replaced: number;
}

/**
 * Ranks entries by headline value. Equal values share a rank. Entries that are not comparable follow, with the reason.
 * Ties are in order of slug. Uncertainty of ranks: see `boardStandings`.
 */
export function rankEntries<Entry extends Rankable>(
  entries: readonly Entry[],
  better: "higher" | "lower",
): (Entry & Standing)[] {
  const sign = better === "higher" ? -1 : 1;
  const sorted = [...entries].sort(
    (a, b) =>
      sign * ((a.headline.value ?? 0) - (b.headline.value ?? 0)) ||
      (a.model.slug < b.model.slug ? -1 : 1),
  );
  const ranked = sorted.filter((entry) => reasonAgainst(entry) === null);
  const unranked = sorted.filter((entry) => reasonAgainst(entry) !== null);
  const ranks = new Map<number | null, number>();
  for (const [i, { headline }] of ranked.entries()) {
    if (!ranks.has(headline.value)) ranks.set(headline.value, i + 1);
  }
  return [
    ...ranked.map((entry) => listed(entry, ranks.get(entry.headline.value) ?? null, null)),
    ...unranked.map((entry) => listed(entry, null, reasonAgainst(entry))),
  ];
}

function reasonAgainst({ headline, promptDeclared, replaced }: Rankable): string | null {
  if (headline.value === null) return "no sample could be scored";
  if (headline.coverage < coverageFloor) return coverageReason(headline.coverage);
  if (!promptDeclared) {
    return "the answers' prompt was not declared, or is not the suite's (promptHash)";
  }
  if (replaced > 0) {
    return `${counted(replaced, "judgment")} by the fallback, because a judge of this board no longer exists`;
  }
  return null;
}

const listed = <Entry extends Rankable>(
  entry: Entry,
  rank: number | null,
  unrankedReason: string | null,
): Entry & Standing => ({
  ...entry,
  rank,
  rankInterval: null,
  best: null,
  tieGroup: null,
  unrankedReason,
});

/** Number of top runs that are compared; every pair is tested. */
export const MOST_COMPARED = 100;

/** Number of entries whose p-values are published: what one comparison and one win map can show. */
const MOST_PUBLISHED = 20;

/** How the ranked runs of a board compare with each other. */
interface BoardStandings {
  /** Number of samples that all of them have. */
  samples: number;
  byRun: ReadonlyMap<string, ComparedRun>;
  /** The tests behind tie groups; `order`: runs in the board's order. */
  tests(order: readonly string[]): LeaderboardTests;
}

/** A compared run's position. Its rank is the one of the resampled scores. */
type ComparedRun = Pick<LeaderboardEntry, "rankInterval" | "best" | "tieGroup"> & { rank: number };

/**
 * Compares the top runs of a board on the headline metric, over the samples that all of them have: ranks from the same
 * resamples, groups from corrected paired tests.
 */
export async function boardStandings(
  platform: Platform,
  runs: readonly SummedRun[],
  metric: RankingMetric,
  boardId: string,
): Promise<BoardStandings | null> {
  const table = await readHeadlines(platform, runs, metric);
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

/** Differences this small come from the order of summation. */
const isSame = (a: number, b: number) => Math.abs(a - b) <= 1e-12;

/** One run at a time: only what the headline needs stays in memory. */
async function readHeadlines(
  platform: Platform,
  runs: readonly SummedRun[],
  { id, composite }: RankingMetric,
): Promise<ScoreTable | null> {
  const metrics = [id, ...(composite?.parts ?? [])];
  let table: ScoreTable | null = null;
  for (const run of runs) {
    const scores = await platform.objects.get<RunScores>(scoresKey(run));
    if (scores === null) throw new Error(`run ${run.id} has no scores by sample`);
    table ??= scoreTable(scores);
    addRun(table, run.id, scores, { metrics, lacking: "failed" });
  }
  return table;
}
