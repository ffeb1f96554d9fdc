import type { Comparison } from "#shared/contracts/comparison.ts";
import type { RunScores } from "#shared/contracts/run-scores.ts";
import { compareRuns } from "#shared/measures/comparison/compare-runs.ts";
import { comparedMetrics } from "#shared/measures/comparison/compared-metrics.ts";
import { addRun, type ScoreTable, scoreTable } from "#shared/measures/comparison/score-table.ts";
import type { Ports, RunRecord } from "../ports.ts";
import { scoresKey } from "../runs/run-objects.ts";
import { provenanceOf } from "../runs/run-view.ts";

/** Compares finished runs of which it is known that they can be compared. */
export async function workOutComparison(
  ports: Ports,
  runs: readonly RunRecord[],
): Promise<Comparison> {
  const [first] = runs;
  const suite = ports.suites.byId(first?.suite ?? "");
  if (!first || !suite) throw new Error(`suite ${first?.suite} is not registered`);
  const { table, metrics } = await readScores(ports, runs);
  const seed = runs.map((run) => run.id).join();
  const figures = runs.map((run) => run.metrics ?? {});
  const compared = compareRuns(table, figures, comparedMetrics(suite, metrics), seed);
  return {
    suite: first.suite,
    dataset: { name: first.datasetName, version: first.datasetVersion },
    scoringVersion: first.scoringVersion,
    ...compared,
    runs: runs.map((run, i) => ({
      run: run.id,
      model: run.model,
      provenance: provenanceOf(run),
      headline: run.metrics?.[run.headline] ?? { value: null, interval: null, n: 0, coverage: 0 },
      samples: compared.runs[i]?.samples ?? 0,
      leftOut: compared.runs[i]?.leftOut ?? 0,
    })),
  };
}

/** One run after the other, since of a large one only the table fits into memory. */
async function readScores(
  ports: Ports,
  runs: readonly RunRecord[],
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
