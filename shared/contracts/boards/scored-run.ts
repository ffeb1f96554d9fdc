import { z } from "zod";
import { runSchema } from "../run.ts";
import type { RunScores } from "../runs/run-scores.ts";

const column = z
  .object({
    of: z
      .array(z.number().nullable())
      .meta({ description: "numerators by sample; null: unscored or not applicable" }),
    over: z.array(z.number()).nullable().meta({
      description: "denominators by sample; null: 1 for every sample, so the value is the mean",
    }),
  })
  .meta({ description: "metric by sample: its value on any subset is Σ of / Σ over" });

const scoresSchema = z.object({
  ids: z.array(z.string()).meta({ description: "ids of the samples, in the order of the dataset" }),
  clusters: z.array(z.string().nullable()).nullable().meta({
    description: "sources by sample, which several samples can share; null: none shared",
  }),
  lacking: z.array(z.int().nonnegative()).meta({
    description: "indexes of samples without a submitted answer, which comparisons exclude",
  }),
  values: z
    .record(z.string(), column)
    .meta({ description: "values by metric id, headline first; repeats of a sample are averaged" }),
}) satisfies z.ZodType<RunScores>;

/**
 * A finished run with its scores by sample: all that a comparison with another run needs. A file of it is a baseline
 * for `assay run --baseline`.
 */
export const scoredRunSchema = z
  .object({
    run: runSchema.pick({
      id: true,
      suite: true,
      suiteVersion: true,
      dataset: true,
      model: true,
      variant: true,
      provenance: true,
      judging: true,
      options: true,
      scoringVersion: true,
      promptHash: true,
      headline: true,
      finishedAt: true,
    }),
    scores: scoresSchema,
  })
  .meta({ id: "ScoredRun" });
export type ScoredRun = z.infer<typeof scoredRunSchema>;
