import type { Leaderboard } from "#shared/contracts/leaderboard.ts";
import type { Run } from "#shared/contracts/run.ts";
import { isUnanswered } from "#shared/measures/report/is-unanswered.ts";

/**
 * A board without the figures of runs that got not a single answer: those follow from the rules for requests that
 * failed, such as a hallucination rate of 100%, and say nothing of the model.
 */
export function withoutSilentFigures<Board extends Pick<Leaderboard, "entries">>(
  board: Board,
  runs: readonly Pick<Run, "id" | "metrics" | "progress">[],
): Board {
  const silent = new Set(runs.filter(isUnanswered).map(({ id }) => id));
  const entries = board.entries.map((entry) =>
    silent.has(entry.run)
      ? { ...entry, headline: { ...entry.headline, value: null, interval: null }, metrics: {} }
      : entry,
  );
  return { ...board, entries };
}
