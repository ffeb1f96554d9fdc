import { z } from "zod";
import { runSchema } from "../run.ts";
import type { RunScores } from "../runs/run-scores.ts";

const column = z
  .object({
    of: z
      .array(z.number().nullable())
      .meta({ description: "by sample; null: unscored or not applicable" }),
    over: z
      .array(z.number())
      .nullable()
      .meta({ description: "null: 1 for every sample, so that the value is the mean" }),
  })
  .meta({ description: "a metric by sample: over any subset its value is Σ of / Σ over" });

const scoresSchema = z.object({
  ids: z.array(z.string()).meta({ description: "the samples, in the order of the dataset" }),
  clusters: z
    .array(z.string().nullable())
    .nullable()
    .meta({ description: "the source that each shares with others; null: none does" }),
  lacking: z.array(z.int().nonnegative()).meta({
    description: "indexes of samples without a submitted answer, which comparisons leave out",
  }),
  values: z
    .record(z.string(), column)
    .meta({ description: "by metric id, the headline first; repeats of a sample are averaged" }),
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
