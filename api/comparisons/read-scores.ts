import type { RunScores } from "#shared/contracts/run-scores.ts";
import { addRun, type ScoreTable, scoreTable } from "#shared/measures/comparison/score-table.ts";
import type { Ports } from "../platform/ports.ts";
import { type SummedRun, scoresKey } from "../runs/run-objects.ts";

/**
 * The scores of runs by sample, with the metrics that they have. One run after the other, since of a large
 * one only the table fits into memory.
 */
export async function readScores(
  ports: Ports,
  runs: readonly SummedRun[],
): Promise<{ table: ScoreTable; metrics: string[] }> {
  let read: { table: ScoreTable; metrics: string[] } | null = null;
  for (const run of runs) {
    const scores = await ports.objects.get<RunScores>(scoresKey(run));
    if (scores === null) throw new Error(`run ${run.id} has no scores by sample`);
    read ??= { table: scoreTable(scores), metrics: Object.keys(scores.values) };
    addRun(read.table, run.id, scores, { metrics: read.metrics });
  }
  if (read === null) throw new Error("no runs to compare");
  return read;
}
