import type { DatasetChange } from "#shared/contracts/dataset-change.ts";
import type { NewsOfRun } from "./drift-ports.ts";

/** What the snapshot says of the first run on another version of its dataset; null: it is none. */
export function datasetChange({ run, record }: NewsOfRun): DatasetChange | null {
  const { reference, againstReference, parts, isFlagged, observedAt } = record.drift;
  const rest = parts.find(({ cause }) => cause === "dataset");
  if (!record.datasetChanged || reference === null || rest === undefined) return null;
  const { n, difference, interval } = againstReference ?? { n: 0, difference: 0, interval: null };
  return {
    run: run.id,
    reference,
    model: { slug: run.modelSlug },
    suite: run.suite,
    dataset: { name: run.datasetName, version: run.datasetVersion },
    metric: run.headline,
    difference: rest.difference + difference,
    unchanged: n === 0 ? null : { n, difference, interval },
    isFlagged,
    observedAt,
  };
}
