import { z } from "zod";
import { claimSources } from "../../../judges/metrics/groundedness.ts";
import { judgeTablesShape, unjudgedShape } from "../../../measures/judging/breakdown.ts";
import { basisShape, crowdedSchema, tagsSchema } from "../../../measures/run-sums/breakdown.ts";

const count = z.int().nonnegative();
const share = z.number().min(0).max(1).nullable();

/** The tables of a run of the memory suite. */
export const breakdownSchema = z.object({
  ...basisShape,
  counts: z.record(z.string(), count).meta({
    description: "answers by status, those cut off, and those with a stage without a result",
  }),
  scores: z
    .array(
      z.object({
        metric: z.string(),
        label: z.string(),
        scale: z.enum(["level", "ratio"]),
        judged: count,
        unjudged: count,
        coverage: share,
        mean: z.number().nullable(),
        median: z.number().nullable(),
        min: z.number().nullable(),
        max: z.number().nullable(),
        sd: z.number().nullable().meta({ description: "standard deviation over samples (n − 1)" }),
        levels: z
          .array(count)
          .length(5)
          .meta({ description: "number of answers by nearest level, lowest level first" }),
        unsupportedEvidence: count,
      }),
    )
    .meta({ description: "distribution of each metric over samples, on the metric's scale" }),
  ...unjudgedShape,
  ...judgeTablesShape,
  keys: z.object({ tp: count, fp: count, fn: count }).meta({
    description: "memories used correctly (tp), used although forbidden (fp), and missed (fn)",
  }),
  claims: z
    .object({ claims: count, sources: z.record(z.enum(claimSources), count) })
    .describe("number of claims, and by source of support"),
  totals: z
    .array(z.object({ metric: z.string(), name: z.string(), total: count, perSample: z.number() }))
    .meta({ description: "counts reported by judges" }),
  labels: z
    .array(z.object({ metric: z.string(), name: z.string(), label: z.string(), count, share }))
    .meta({ description: "labels reported by judges, such as warmth" }),
  tags: tagsSchema,
  crowded: crowdedSchema,
});
export type MemoryBreakdown = z.infer<typeof breakdownSchema>;
