import type { DriftPart, PairedChange } from "#shared/contracts/drift.ts";
import type { RunRecord } from "../platform/ports.ts";

/**
 * What became of a headline where the reference is of another version of the dataset: `change` is that on the
 * samples with the same row, and what remains of the change of the whole is put to the dataset. The model's part
 * is told where nothing else could have moved those samples: no judge, and the same scoring. Empty on one
 * version, and where a run has no headline.
 */
export function datasetParts(
  run: RunRecord,
  reference: RunRecord,
  change: PairedChange | null,
): { dataset: DriftPart[]; model: DriftPart[] } {
  const [now, then] = [run, reference].map((one) => one.metrics?.[run.headline]);
  const isSame = run.datasetVersion === reference.datasetVersion;
  if (isSame || !now || now.value === null || then?.value == null)
    return { dataset: [], model: [] };
  const rest = now.value - then.value - (change?.difference ?? 0);
  const isModelAlone =
    run.judging === null && run.scoringVersion === reference.scoringVersion && change !== null;
  return {
    dataset: [{ cause: "dataset", n: now.n, difference: rest, interval: null }],
    model: isModelAlone ? [{ cause: "model", ...figuresOf(change) }] : [],
  };
}

const figuresOf = ({ n, difference, interval }: PairedChange) => ({ n, difference, interval });
