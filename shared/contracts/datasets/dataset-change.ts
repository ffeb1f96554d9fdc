import { z } from "zod";
import { driftNoticeSchema } from "../drift/drift-notice.ts";

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
