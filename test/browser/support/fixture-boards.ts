import type { Leaderboard, LeaderboardEntry } from "../../../shared/contracts/leaderboard.ts";
import type { Estimate } from "../../../shared/contracts/metric.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import { suiteById } from "../../../shared/suites/registry.ts";

const coverageFloor = 0.95;

/** What the service puts on a board of a run's metrics. */
function shownMetrics({ suite, headline, metrics }: Run): LeaderboardEntry["metrics"] {
  const shown = [headline, ...(suiteById(suite)?.boardMetrics ?? [])];
  return Object.fromEntries(Object.entries(metrics ?? {}).filter(([id]) => shown.includes(id)));
}

const onlyAttempt: LeaderboardEntry["attempts"] = {
  total: 1,
  finished: 1,
  failed: 0,
  cancelled: 0,
  running: 0,
  unlisted: 0,
  hidden: 0,
  deleted: 0,
};

function entryOf(run: Run): Omit<LeaderboardEntry, "rank"> {
  const headline = run.metrics?.[run.headline] as Estimate;
  const isCovered = headline.coverage >= coverageFloor;
  return {
    unrankedReason: isCovered ? null : "coverage is below 95%",
    run: run.id,
    model: run.model,
    provenance: run.provenance,
    headline,
    metrics: shownMetrics(run),
    n: headline.n,
    coverage: headline.coverage,
    scoringVersion: run.scoringVersion,
    rankInterval: null,
    best: null,
    tieGroup: null,
    attempts: onlyAttempt,

    codeRevision: run.codeRevision,
    concurrency: run.concurrency.wanted,
    startedAt: run.startedAt,
    finishedAt: run.finishedAt ?? run.createdAt,
  };
}

/** The first two are not told apart, and all others stand below them. */
function standingOf(index: number): Pick<LeaderboardEntry, "rankInterval" | "best" | "tieGroup"> {
  if (index > 1) return { rankInterval: [3, index + 1], best: 0, tieGroup: 2 };
  return { rankInterval: [1, 2], best: index === 0 ? 0.71 : 0.29, tieGroup: 1 };
}

/** Tests that say what the standings do: the first two differ from all others. */
function testsOf(ranked: number): Leaderboard["tests"] {
  const shown = Array.from({ length: Math.min(ranked, 20) }, (_, i) => i);
  const pHolm = shown.map((i) =>
    shown.slice(0, i).map((above) => (i > 1 && above < 2 ? 0.02 : 0.5)),
  );
  return { count: (ranked * (ranked - 1)) / 2, units: { kind: "samples", count: 40 }, pHolm };
}

/** The board of finished runs that share a dataset, best first, the uncovered last. */
export function aBoard(
  id: string,
  runs: readonly Run[],
  more: Partial<Leaderboard> = {},
): Leaderboard {
  const [first] = runs;
  if (!first) throw new Error("a board needs a run");
  const sorted = runs
    .map(entryOf)
    .sort((a, b) => (b.headline.value ?? 0) - (a.headline.value ?? 0));
  const ranked = sorted.filter(({ unrankedReason }) => unrankedReason === null);
  const unranked = sorted.filter(({ unrankedReason }) => unrankedReason !== null);
  return {
    listed: sorted.length,
    nextCursor: null,
    judging: null,
    canaries: null,
    supersededBy: null,
    supersededAt: null,
    id,
    suite: first.suite,
    dataset: first.dataset,
    scoringVersion: first.scoringVersion,
    promptHash: first.promptHash ?? "",
    structuredOutput: "auto",
    headline: first.headline,
    isDefault: true,
    repeats: 1,
    comparedSamples: ranked[0]?.n ?? null,
    tests: ranked.length === 0 ? null : testsOf(ranked.length),
    simulated: runs.every(({ model }) => model.simulated),
    entries: [
      ...ranked.map((entry, index) => ({ ...entry, rank: index + 1, ...standingOf(index) })),
      ...unranked.map((entry) => ({ ...entry, rank: null })),
    ],
    updatedAt: "2026-11-20T09:01:00Z",
    ...more,
  };
}
