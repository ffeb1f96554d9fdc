import { contentHash } from "#shared/contracts/content-hash.ts";
import type { Json } from "#shared/contracts/json.ts";
import { optionsFor } from "#shared/contracts/ranking.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { suiteOptionsOf } from "../engine/run-plan.ts";
import type { RunRecord } from "../platform/ports.ts";

/** Whether a run is held against others: its model was asked, and not for a sweep, a canary or a rescoring. */
export const isWatched = ({
  endpoint,
  parentId,
  variant,
  canary,
}: Pick<RunRecord, "endpoint" | "parentId" | "variant" | "canary">): boolean =>
  endpoint !== null && parentId === null && variant === null && canary === null;

/**
 * What runs have in common that are held against each other, hashed: the model, who may see it, suite and
 * dataset by name, and all that was asked. Versions of dataset, suite and judges may differ: a change is put
 * to them. Null for runs that are not watched, and those whose options the suite of today does not take.
 */
export function seriesOf(suite: Suite, run: RunRecord): string | null {
  const own = suite.optionsSchema.safeParse(suiteOptionsOf(run.options));
  if (!isWatched(run) || !own.success) return null;
  const target = { isHybrid: run.hybrid !== null, sources: [] };
  return contentHash({
    model: run.modelSlug,
    suite: run.suite,
    dataset: run.datasetName,
    owner: run.visibility === "public" ? null : run.owner,
    promptHash: run.promptHash,
    options: optionsFor(suite, own.data, target) as Json,
    sample: run.options["sample"] ?? null,
    confidenceThreshold: run.hybrid?.confidenceThreshold ?? null,
  });
}
