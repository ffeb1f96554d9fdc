import { z } from "zod";
import { runModelSchema } from "../run.ts";

/** The cause of a score change: the only part whose change moves the score while the others are fixed. */
export const driftCauseSchema = z
  .enum(["model", "judge", "dataset", "scoring", "several", "unclear"])
  .describe("cause of the score change; several: more than one cause; unclear: no cause found");
export type DriftCause = z.infer<typeof driftCauseSchema>;

export const redirectSchema = z
  .object({ before: z.string(), now: z.string() })
  .nullable()
  .default(null)
  .describe("model name in most answers, `before` and `now`; null: it has not changed");
export type Redirect = NonNullable<z.infer<typeof redirectSchema>>;

/**
 * A re-evaluation whose score differs from its reference run by more than chance explains, or which another model
 * answered. Identified by run and reference.
 */
export const driftNoticeSchema = z
  .object({
    run: z.string().meta({ description: "id of the re-evaluation run" }),
    reference: z.string().describe("id of the run that the re-evaluation is compared with"),
    model: runModelSchema.pick({ slug: true, name: true, simulated: true }),
    suite: z.string(),
    dataset: z.object({ name: z.string(), version: z.string() }),
    metric: z.string().meta({ description: "id of the headline metric" }),
    difference: z
      .number()
      .meta({ description: "mean of run − reference over the samples that both runs cover" }),
    interval: z.tuple([z.number(), z.number()]).nullable().meta({
      description: "95% interval of the difference [low, high]; null below two samples",
    }),
    n: z.int().nonnegative().meta({
      description:
        "number of samples that both runs cover; across dataset versions, only samples with the same row",
    }),
    eValue: z.number().nonnegative().meta({
      description: "evidence of a score change as a weighted e-value; a drift is flagged from 20",
    }),
    moved: z.array(z.string()).default([]).meta({
      description:
        "ids of the samples whose scores explain the drift, largest change first, at most 20",
    }),
    attribution: driftCauseSchema,
    redirect: redirectSchema,
    observedAt: z.iso.datetime(),
  })
  .meta({ id: "DriftNotice" });
export type DriftNotice = z.infer<typeof driftNoticeSchema>;

/**
 * The first run of a model on another version of a dataset, compared with its reference on an earlier version.
 * Identified by run and reference.
 */
export const datasetChangeSchema = driftNoticeSchema
  .pick({ run: true, reference: true, suite: true, dataset: true, metric: true, observedAt: true })
  .extend({
    model: z.object({ slug: z.string() }),
    difference: z.number().meta({ description: "difference of the headline, run − reference" }),
    unchanged: z
      .object({
        n: z.int().positive(),
        difference: z.number(),
        interval: z.tuple([z.number(), z.number()]).nullable(),
      })
      .nullable()
      .describe("difference on the samples whose rows are unchanged; null: no such samples"),
    isFlagged: z.boolean().meta({ description: "whether the change is also listed as a drift" }),
  })
  .meta({ id: "DatasetChange" });
export type DatasetChange = z.infer<typeof datasetChangeSchema>;
