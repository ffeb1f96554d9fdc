import { contentHash } from "#shared/contracts/content-hash.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { suiteOptionsOf } from "../lanes/run-plan.ts";
import type { RunRecord } from "../ports.ts";

/**
 * What runs have in common that are held against each other, hashed: the model, who may see it, suite and
 * dataset by name, and all that was asked. Versions of dataset, suite and judges may differ: a change is put
 * to them. Null for runs that are not watched: those of answers made elsewhere, rescorings,
 * variants of a sweep and canaries, and those whose options the suite of today does not take.
 */
export function seriesOf(suite: Suite, run: RunRecord): string | null {
  const { endpoint, parentId, variant, canary, visibility } = run;
  const isAsked = endpoint !== null && parentId === null && variant === null && canary === null;
  const own = suite.optionsSchema.safeParse(suiteOptionsOf(run.options));
  if (!isAsked || !own.success) return null;
  return contentHash({
    ...{ model: run.modelSlug, suite: run.suite, dataset: run.datasetName },
    owner: visibility === "public" ? null : run.owner,
    ...{ promptHash: run.promptHash, options: own.data as Json },
    sample: run.options["sample"] ?? null,
    confidenceThreshold: run.hybrid?.confidenceThreshold ?? null,
  });
}
