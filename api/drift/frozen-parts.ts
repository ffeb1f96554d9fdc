import type { DriftPart, PairedChange } from "#shared/contracts/drift.ts";
import { runScores } from "#shared/measures/comparison/collect-scores.ts";
import { addRun, scoreTable } from "#shared/measures/comparison/score-table.ts";
import { pairedChange } from "#shared/measures/drift/paired-change.ts";
import { openRun } from "../engine/run-work.ts";
import type { Ports, RunRecord } from "../platform/ports.ts";
import { areAnswersGone } from "../runs/raw-retention.ts";
import { frozenScoresKey } from "../runs/run-objects.ts";
import { rankingMetric } from "./compare-runs.ts";
import { frozenScores } from "./frozen-scores.ts";
import { only, readCovered } from "./read-covered.ts";
import { unchangedSamples } from "./unchanged-samples.ts";

/**
 * What moved a run's score away from that of its reference, the other parts held still: the reference's
 * answers are scored by the suite of today with the judgments of then (scoring), judged by the judges of
 * today (judge), and held against the fresh answers (model). Answers that are gone by age tell nothing. Where the
 * dataset has another version, samples with the same row are taken. The scores are kept apart from the run's own.
 */
export async function frozenParts(
  ports: Ports,
  run: RunRecord,
  reference: RunRecord,
): Promise<DriftPart[]> {
  if (areAnswersGone(reference, ports.settings, ports.now())) return [];
  const { datasetVersion } = reference;
  const work = await openRun(ports, { ...run, datasetVersion, sealedSecrets: null });
  const ids = work.plan.heads.map(({ id }) => id);
  const same =
    datasetVersion === run.datasetVersion
      ? new Set(ids)
      : await unchangedSamples(ports, reference, ids, run.datasetVersion);
  const frozen = await frozenScores(ports, work, reference, same);
  const fresh = only(await readCovered(ports, run), same);
  const kept = {
    original: runScores(frozen.original),
    scored: runScores(frozen.scored),
    ...(run.judging && { judged: runScores(frozen.judged) }),
  };
  await ports.objects.put(frozenScoresKey(run), { reference: reference.id, ...kept });
  const table = scoreTable(kept.original);
  addRun(table, "fresh", fresh);
  for (const [name, scores] of Object.entries(kept)) addRun(table, name, scores);
  const metric = rankingMetric(work.suite, run);
  const part = (cause: DriftPart["cause"], now: string, before: string) =>
    partOf(cause, pairedChange(table, metric, now, before));
  return run.judging === null
    ? [part("scoring", "scored", "original"), part("model", "fresh", "scored")]
    : [
        part("scoring", "scored", "original"),
        part("judge", "judged", "scored"),
        part("model", "fresh", "judged"),
      ];
}

function partOf(cause: DriftPart["cause"], change: PairedChange | null): DriftPart {
  if (change === null) return { cause, n: 0, difference: 0, interval: null };
  const { n, difference, interval } = change;
  return { cause, n, difference, interval };
}
