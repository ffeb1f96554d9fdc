import type { Leaderboard } from "#shared/contracts/leaderboard.ts";
import type { Run } from "#shared/contracts/run.ts";

/**
 * Boards whose entries have every metric of their runs: the API's have those that a suite shows on its
 * boards. Entries of runs that are not among `runs` stay as they are.
 */
export function joinRuns(
  boards: readonly Leaderboard[],
  runs: readonly Pick<Run, "id" | "metrics">[],
): Leaderboard[] {
  const metricsById = new Map(runs.map(({ id, metrics }) => [id, metrics]));
  return boards.map((board) => ({
    ...board,
    entries: board.entries.map((entry) => ({
      ...entry,
      metrics: { ...metricsById.get(entry.run), ...entry.metrics },
    })),
  }));
}
