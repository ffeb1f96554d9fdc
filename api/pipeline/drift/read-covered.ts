import type { RunScores } from "#shared/contracts/run-scores.ts";
import { addRun, type ScoreTable, scoreTable } from "#shared/measures/comparison/score-table.ts";
import { coveredScores } from "#shared/measures/drift/covered-scores.ts";
import type { Ports, RunRecord } from "../ports.ts";
import { scoresKey } from "../runs/run-objects.ts";

/** A run's scores, those of samples left out that were not covered. Throws where they are gone. */
export async function readCovered(
  { objects, runs }: Pick<Ports, "objects" | "runs">,
  run: RunRecord,
): Promise<RunScores> {
  const scores = await objects.get<RunScores>(scoresKey(run));
  if (scores === null) throw new Error(`run ${run.id} has no scores by sample`);
  const repeats = Math.max(1, Math.round(run.total / scores.ids.length));
  return coveredScores(scores, await runs.coveredRanges(run.id), repeats);
}

/**
 * The covered scores of runs that answered the same samples, with the metrics named. One run after the other,
 * since of a large one only the table fits into memory.
 */
export async function readTable(
  ports: Pick<Ports, "objects" | "runs">,
  runs: readonly RunRecord[],
  metrics: readonly string[],
): Promise<ScoreTable> {
  let table: ScoreTable | null = null;
  for (const run of runs) {
    const scores = await readCovered(ports, run);
    table ??= scoreTable(scores);
    addRun(table, run.id, scores, { metrics });
  }
  if (table === null) throw new Error("no runs to compare");
  return table;
}
