import { inParallel } from "#shared/contracts/boards/in-parallel.ts";
import type { Leaderboard } from "#shared/contracts/boards/leaderboard.ts";
import { parallelReads } from "#shared/contracts/boards/read-snapshot.ts";
import type { Run } from "#shared/contracts/run.ts";
import type { RunReport } from "#shared/contracts/run-report.ts";
import type { Sweep } from "#shared/contracts/submissions/sweep.ts";
import { intervalBasis } from "#shared/measures/report/figures/interval-basis.ts";
import { runReport } from "#shared/measures/report/run/run-report.ts";
import { settings } from "./settings.ts";
import { openSource } from "./source.ts";
import { suiteById } from "./suites.ts";

/** A board as readers get it: without tie groups where its tests rest on too few clusters to tell models apart. */
export function withoutUncertainTies<Board extends Pick<Leaderboard, "entries" | "tests">>(
  board: Board,
): Board {
  const isFew = board.tests !== null && intervalBasis(board.tests.units)?.isFew === true;
  if (!isFew) return board;
  return { ...board, entries: board.entries.map((entry) => ({ ...entry, tieGroup: null })) };
}

const source = openSource(settings);

const published = await source.snapshot();

/** Everything the site shows, loaded once a build. */
export const snapshot = { ...published, boards: published.boards.map(withoutUncertainTies) };

/** Runs with all that is drawn of them, newest first. */
export const runs: readonly Run[] = await inParallel(snapshot.runs, parallelReads, source.run);

await inParallel(runs, parallelReads, source.fetchAhead);

/** A run's report. Its highlights are read when it is drawn: those of all runs would fill the memory. */
export const reportOf = async (run: Run): Promise<RunReport> =>
  runReport(suiteById(run.suite), run, await source.highlights(run));

const found = await inParallel(snapshot.sweeps, parallelReads, source.sweep);

/** Sweeps of parameters, newest first. */
export const sweeps: readonly Sweep[] = found.filter((sweep) => sweep !== null);
