import { z } from "zod";
import { runModelSchema } from "../run.ts";

/** The cause of a score change: the only part whose change moves the score while the others are fixed. */
export const driftCauseSchema = z
  .enum(["model", "judge", "dataset", "scoring", "several", "unclear"])
  .meta({ description: "several: several of them moved the score; unclear: none is known to" });
export type DriftCause = z.infer<typeof driftCauseSchema>;

export const redirectSchema = z
  .object({ before: z.string(), now: z.string() })
  .nullable()
  .default(null)
  .meta({
    description: "the model that replaced another, by the names in most answers",
  });
export type Redirect = NonNullable<z.infer<typeof redirectSchema>>;

/**
 * A re-evaluation whose score differs from its reference run by more than chance explains, or which another model
 * answered. Identified by run and reference.
 */
export const driftNoticeSchema = z
  .object({
    run: z.string().meta({ description: "the re-evaluation" }),
    reference: z.string().meta({ description: "the run that it is compared with" }),
    model: runModelSchema.pick({ slug: true, name: true, simulated: true }),
    suite: z.string(),
    dataset: z.object({ name: z.string(), version: z.string() }),
    metric: z.string().meta({ description: "id of the headline metric" }),
    difference: z
      .number()
      .meta({ description: "mean of run − reference over the samples that both cover" }),
    interval: z
      .tuple([z.number(), z.number()])
      .nullable()
      .meta({ description: "95% interval of the difference [low, high]; null below two samples" }),
    n: z.int().nonnegative().meta({
      description:
        "samples that both cover, with the same row where the dataset has another version",
    }),
    eValue: z.number().nonnegative().meta({
      description: "evidence of a change, weighted e-values; a drift is flagged from 20",
    }),
    moved: z.array(z.string()).default([]).meta({
      description: "ids of the samples that moved with it, the largest change first, at most 20",
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
      .meta({ description: "for the samples whose rows are unchanged; null: none" }),
    isFlagged: z.boolean().meta({ description: "whether it is also listed as a drift" }),
  })
  .meta({ id: "DatasetChange" });
export type DatasetChange = z.infer<typeof datasetChangeSchema>;
