import type { RunScores } from "../../../contracts/runs/run-scores.ts";
import { addRun, type ScoreTable, scoreTable } from "../score-table.ts";

/** A run whose samples s0, s1, … have these values of `eqs`. */
export const scored = (run: string, of: (number | null)[], more: Partial<RunScores> = {}) => ({
  run,
  scores: {
    ids: of.map((_, i) => `s${i}`),
    clusters: null,
    lacking: [],
    values: { eqs: { of, over: null } },
    ...more,
  } satisfies RunScores as RunScores,
});

/** The table of the runs. */
export function tableOf(runs: readonly { run: string; scores: RunScores }[]): ScoreTable {
  const table = scoreTable(runs[0]!.scores);
  for (const { run, scores } of runs) addRun(table, run, scores);
  return table;
}
