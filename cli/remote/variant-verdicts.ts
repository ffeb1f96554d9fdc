import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import type { Run } from "#shared/contracts/run.ts";
import type { ServiceClient } from "./service-client.ts";
import { ServiceError } from "./service-error.ts";

/** Maximum polls while the service computes the tests, and the time between them. */
const MOST_ASKED = 15;
const WAIT_MS = 2_000;

const comparedSchema = z.object({
  models: z.array(z.object({ model: z.object({ slug: z.string() }), verdict: z.string() })),
});
const openSchema = z.object({ status: z.literal("running") });

/** The best variant of a model, or why none is named. */
export const variantVerdictSchema = z.object({ model: z.string(), verdict: z.string() });
export type VariantVerdict = z.infer<typeof variantVerdictSchema>;

/** The verdicts on a submission's variants; empty without variants, or if the service can't compare them. */
export async function variantVerdicts(
  service: ServiceClient,
  submission: string,
  runs: readonly Run[],
): Promise<VariantVerdict[]> {
  const compared = Map.groupBy(
    runs.filter(({ variant }) => variant !== null),
    ({ model }) => model.slug,
  );
  const isCompared = (slug: string) => (compared.get(slug)?.length ?? 0) > 1;
  if (![...compared.keys()].some(isCompared)) return [];
  const path = `/v1/submissions/${encodeURIComponent(submission)}/sweep`;
  try {
    for (let asked = 0; asked < MOST_ASKED; asked++) {
      const value = await service.get(path, z.union([comparedSchema, openSchema]));
      if ("models" in value) {
        return value.models
          .map(({ model, verdict }) => ({ model: model.slug, verdict }))
          .filter(({ model }) => isCompared(model));
      }
      await setTimeout(WAIT_MS);
    }
  } catch (error) {
    // Paused and failed runs cannot be compared.
    if (!(error instanceof ServiceError)) throw error;
  }
  return [];
}
