import type { RunScores } from "#shared/contracts/run-scores.ts";
import { addRun, type ScoreTable, scoreTable } from "#shared/measures/comparison/score-table.ts";
import { coveredScores } from "#shared/measures/drift/covered-scores.ts";
import type { Ports, RunRecord } from "../platform/ports.ts";
import { scoresKey } from "../runs/run-objects.ts";
import { unchangedSamples } from "./unchanged-samples.ts";

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

/** Scores without the samples that are not in `ids`. */
export function only(scores: RunScores, ids: ReadonlySet<string>): RunScores {
  const others = scores.ids.flatMap((id, i) => (ids.has(id) ? [] : [i]));
  return { ...scores, lacking: [...new Set([...scores.lacking, ...others])] };
}

/**
 * The covered scores of a reference and of runs that were asked the same, with the metrics named; of those on
 * another version of the dataset, the samples whose rows are the reference's. One run after the other, since of
 * a large one only the table fits into memory.
 */
export async function readTable(
  ports: Pick<Ports, "objects" | "runs" | "datasets">,
  reference: RunRecord,
  others: readonly RunRecord[],
  metrics: readonly string[],
): Promise<ScoreTable> {
  const first = await readCovered(ports, reference);
  const table = scoreTable(first);
  addRun(table, reference.id, first, { metrics });
  const unchanged = new Map<string, ReadonlySet<string>>();
  for (const run of others) {
    const scores = await readCovered(ports, run);
    const { datasetVersion: version } = run;
    const isSame = version === reference.datasetVersion;
    const ids = unchanged.get(version);
    const same = isSame
      ? null
      : (ids ?? (await unchangedSamples(ports, reference, first.ids, version)));
    if (same !== null) unchanged.set(version, same);
    addRun(table, run.id, same === null ? scores : only(scores, same), { metrics });
  }
  return table;
}
