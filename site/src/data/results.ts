import { inParallel } from "#shared/contracts/boards/in-parallel.ts";
import type { Leaderboard } from "#shared/contracts/boards/leaderboard.ts";
import { parallelReads } from "#shared/contracts/boards/read-snapshot.ts";
import type { ListedRun } from "#shared/contracts/run.ts";
import type { RunReport } from "#shared/contracts/run-report.ts";
import type { Sweep } from "#shared/contracts/submissions/sweep.ts";
import { intervalBasis } from "#shared/measures/report/figures/interval-basis.ts";
import { runReport } from "#shared/measures/report/run/run-report.ts";
import { suiteById } from "#shared/suites/registry.ts";
import { settings } from "./settings.ts";
import { openSource } from "./source.ts";

/**
 * A board for readers: without tie groups if nothing was tested, or there are too few clusters for significance tests.
 */
export function withoutUncertainTies<Board extends Pick<Leaderboard, "entries" | "tests">>(
  board: Board,
): Board {
  const { tests } = board;
  if (tests === null || (tests.count > 0 && !intervalBasis(tests.units)?.isFew)) return board;
  return { ...board, entries: board.entries.map((entry) => ({ ...entry, tieGroup: null })) };
}

const source = openSource(settings);

const published = await source.snapshot();

/** Everything the site shows, loaded once a build. */
export const snapshot = { ...published, boards: published.boards.map(withoutUncertainTies) };

/** Newest first. Data of a run's own page is read only for that page, because all of it would fill the memory. */
export const runs: readonly ListedRun[] = snapshot.runs;

export const runsById = new Map(runs.map((run) => [run.id, run]));

/** Preloads the input of the pages of some runs. */
export async function fetchAhead(some: readonly ListedRun[]): Promise<void> {
  await inParallel(some, parallelReads, async (run) => source.fetchAhead(await source.run(run)));
}

/** A run's report, and whether it is complete: a report with missing parts is drawn again by the next build. */
export async function reportOf(
  listed: ListedRun,
): Promise<{ report: RunReport; isComplete: boolean }> {
  const run = await source.run(listed);
  const report = runReport(suiteById(run.suite), run, await source.highlights(run));
  return { report, isComplete: !source.lacksHighlights(run.id) };
}

/** Preloads the first samples of some runs. */
export async function fetchSamplesAhead(some: readonly ListedRun[]): Promise<void> {
  await inParallel(some, parallelReads, source.samples);
}

export const { tagFigures, nameOf, samples: firstSamplesOf } = source;

const found = await inParallel(snapshot.sweeps, parallelReads, source.sweep);

export const sweeps: readonly Sweep[] = found.filter((sweep) => sweep !== null);
