import type { Comparison } from "#shared/contracts/comparison.ts";
import { compareRuns } from "#shared/measures/comparison/compare-runs.ts";
import { comparedMetrics } from "#shared/measures/comparison/compared-metrics.ts";
import type { Ports, RunRecord } from "../platform/ports.ts";
import { provenanceOf } from "../runs/run-view.ts";
import { readScores } from "./read-scores.ts";

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
  // Runs that are ranked by different metrics are compared by the suite's.
  const isOne = runs.every(({ headline }) => headline === first.headline);
  const ranking = { ...suite, headline: isOne ? first.headline : suite.headline };
  const compared = compareRuns(table, figures, comparedMetrics(ranking, metrics), seed);
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
