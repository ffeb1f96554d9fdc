import type { Attempts, LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import { ownMetrics } from "#shared/contracts/judging/own-metrics.ts";
import { fewServed } from "#shared/measures/performance/served-models.ts";
import type { Platform } from "../platform/platform.ts";
import { finishRepublications, openTo } from "../publication/rank-changes.ts";
import { keepSuperseded } from "../publication/republish-board.ts";
import type { BoardCandidate } from "../runs/read-store.ts";
import type { RunRecord } from "../runs/schema.ts";
import { provenanceOf } from "../runs/view.ts";
import { noAttempts } from "./attempt-store.ts";
import { ENTRIES_A_PAGE, storePages } from "./board-pages.ts";
import { boardStandings, MOST_COMPARED, rankEntries, type Standing } from "./ranking.ts";
import type { BoardRecord } from "./schema.ts";

/** Longer than a ranking usually takes; short, because a dead holder delays results by this much. */
const LEASE_MS = 30_000;

/** Upper bound for clock differences between machines. */
const CLOCK_SKEW_MS = 1_000;

/**
 * Ranks a board from its finished runs, and finishes a re-publication that waited for them. Skips a board that was
 * ranked after `askedAt` (Unix ms), so that many queued messages cause one ranking. False if another caller is ranking
 * it: try again later.
 */
export async function rankBoard(
  platform: Platform,
  boardId: string,
  askedAt = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const board = await platform.boards.get(boardId);
  if (board === null) return true;
  const republications = await openTo(platform, board);
  if (republications === "scoring") return true;
  const isRanked = board.updatedAt > askedAt + CLOCK_SKEW_MS;
  if (isRanked && republications.length === 0) return true;
  const now = platform.now();
  if (!(await platform.boards.lock(boardId, now, now + LEASE_MS))) return false;
  try {
    const isCurrent = board.supersededBy === null || republications.length > 0;
    if (isCurrent) {
      const entries = await rankLocked(platform, board, now);
      await finishRepublications(platform, republications, entries);
    } else await keepSuperseded(platform, board);
  } catch (error) {
    await platform.boards.unlock(boardId, now + LEASE_MS);
    throw error;
  }
  await platform.publications.markChanged();
  return true;
}

/** Ranks a board whose lease is held. The final write releases the lease. */
async function rankLocked(platform: Platform, board: BoardRecord, now: number): Promise<Placed[]> {
  const [candidates, attempts] = await Promise.all([
    platform.runs.newestOnBoard(board.id),
    platform.boards.attempts(board.id),
  ]);
  const { listed, shown, ...ranking } = await placed(platform, board, candidates);
  const pages = await storePages(platform, board, entriesOf(platform, listed, attempts, shown));
  await platform.boards.write(board.id, { ...pages, ...ranking }, now);
  return listed;
}

/** Candidates in the board's order, the tests between them, and the metrics that their entries show. */
export async function placed(
  platform: Platform,
  board: Pick<BoardRecord, "id" | "suite" | "headline" | "judging">,
  candidates: readonly BoardCandidate[],
) {
  const suite = platform.suites.byId(board.suite);
  const headline = suite?.metrics.find((metric) => metric.id === board.headline);
  const better = headline?.better ?? "higher";
  const entries: Placed[] = rankEntries(candidates, better);
  const ranked = entries.filter(({ rank }) => rank !== null).slice(0, MOST_COMPARED);
  const runs = await platform.runs.listedOnBoard(
    ranked.map(({ run }) => run),
    [],
  );
  const byId = new Map(runs.map((run) => [run.id, run]));
  const metric = { id: board.headline, better, composite: suite?.composites?.[board.headline] };
  const compared = ranked.flatMap(({ run }) => byId.get(run) ?? []);
  const standings = await boardStandings(platform, compared, metric, board.id);
  for (const entry of entries) Object.assign(entry, standings?.byRun.get(entry.run));
  const listed = inRankOrder(entries);
  const order = listed.flatMap(({ rank, run }) => (rank === null ? [] : [run]));
  const own = ownMetrics(board.judging).map(({ id }) => id);
  const shown = new Set([board.headline, ...own, ...(suite?.boardMetrics ?? [])]);
  return {
    listed,
    shown,
    comparedSamples: standings?.samples ?? null,
    tests: standings?.tests(order) ?? null,
  };
}

/** A candidate with its position. Memory holds these for boards of ten thousand models, but not their entries. */
type Placed = ReturnType<typeof rankEntries<BoardCandidate>>[number];

/** By rank; stable for equal ranks; unranked entries last. */
function inRankOrder(placed: Placed[]): Placed[] {
  const place = ({ rank }: Placed) => rank ?? Number.POSITIVE_INFINITY;
  return placed.sort((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
}

/** The entries in the board's order, page by page. */
export async function* entriesOf(
  platform: Platform,
  placed: readonly Placed[],
  attempts: ReadonlyMap<string, Attempts>,
  shown: ReadonlySet<string>,
): AsyncGenerator<LeaderboardEntry[]> {
  for (let i = 0; i < placed.length; i += ENTRIES_A_PAGE) {
    const page = placed.slice(i, i + ENTRIES_A_PAGE);
    const ids = page.map(({ run }) => run);
    const runs = await platform.runs.listedOnBoard(ids, [...shown]);
    const byId = new Map(runs.map((run) => [run.id, run]));
    yield page.flatMap(({ run: id, rank, rankInterval, best, tieGroup, unrankedReason }) => {
      const run = byId.get(id);
      if (run === undefined) return [];
      const tried = attempts.get(run.modelSlug) ?? onlyAttempt;
      const place = { rank, rankInterval, best, tieGroup, unrankedReason };
      return [{ ...place, ...entryOf(run, tried, shown) }];
    });
  }
}

/** For runs stored before attempts were counted. */
const onlyAttempt: Attempts = { ...noAttempts, total: 1, finished: 1 };

const isoOrNull = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/** Maximum number of answering models named in one entry: a board has many entries. */
const MOST_SERVED = 3;

const listedModel = ({ served, ...model }: RunRecord["model"]): RunRecord["model"] => ({
  ...model,
  ...(served && { served: fewServed(served, MOST_SERVED) }),
});

function entryOf(
  run: Awaited<ReturnType<Platform["runs"]["listedOnBoard"]>>[number],
  attempts: Attempts,
  shown: ReadonlySet<string>,
): Omit<LeaderboardEntry, keyof Standing> {
  const metrics = Object.fromEntries(
    [...shown].flatMap((id) => {
      const estimate = run.metrics[id];
      return estimate ? [[id, estimate]] : [];
    }),
  );
  const headline = metrics[run.headline] ?? { value: null, interval: null, n: 0, coverage: 0 };
  const people = Object.entries(run.people?.means ?? {}).filter(([id]) => shown.has(id));
  return {
    run: run.id,
    model: listedModel(run.model),
    provenance: provenanceOf(run),
    headline,
    metrics,
    ...(people.length > 0 && { people: Object.fromEntries(people) }),
    n: headline.n,
    coverage: headline.coverage,
    scoringVersion: run.scoringVersion,
    codeRevision: run.codeRevision,
    attempts,
    concurrency: run.concurrency,
    // A rescored run shows when its answers were produced, but no durations.
    startedAt: isoOrNull(run.parentId === null ? run.startedAt : null),
    finishedAt: new Date(run.answeredAt ?? run.finishedAt ?? 0).toISOString(),
  };
}
