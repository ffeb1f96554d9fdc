import { z } from "zod";
import { basisShape, tagsSchema } from "../../../measures/run-sums/breakdown.ts";

const count = z.int().nonnegative();
const interval = z.tuple([z.number(), z.number()]).nullable();

const spreadSchema = z.object({
  metric: z.string(),
  mean: z.number(),
  min: z.number(),
  max: z.number(),
  median: z.number(),
  sd: z.number().nullable().describe("sample standard deviation; null below two samples"),
});

const figureSchema = z.object({ value: z.number().nullable(), interval });
const correlationSchema = figureSchema.extend({
  p: z.number().nullable().meta({ description: "two-sided p-value; null: no correlation" }),
});

const humanSchema = z.object({
  answers: count.describe("number of answers to samples rated by people, without failed requests"),
  isTooLarge: z.boolean().describe("whether there are over 20,000 answers, so nothing is computed"),
  metrics: z.array(
    z.object({
      metric: z.string(),
      n: count,
      spearman: correlationSchema,
      pearson: correlationSchema,
      raters: figureSchema
        .extend({ samples: count, ratings: count })
        .nullable()
        .meta({ description: "Krippendorff's alpha over samples with several ratings" }),
    }),
  ),
});

/** The tables of a run of the quality suite. */
export const breakdownSchema = z.object({
  ...basisShape,
  counts: z
    .record(z.string(), count)
    .meta({ description: "answers by status, language, and those cut off" }),
  spreads: z.array(spreadSchema).meta({
    description:
      "distribution of each metric over samples; in runs over 20,000 answers within 0.0005",
  }),
  tags: tagsSchema,
  human: humanSchema.nullable().default(null).meta({
    description: "agreement of metrics with the dataset's human ratings; null: no ratings",
  }),
});
export type QualityBreakdown = z.infer<typeof breakdownSchema>;
