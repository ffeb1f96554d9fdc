import { z } from "zod";
import { runJudgingSchema } from "../judging/judging.ts";
import { sampleUsageSchema } from "../keys/usage.ts";
import { slugSchema } from "../text/slug.ts";
import { variantSchema } from "./variant.ts";

/** Estimated cost of an evaluation. */
const expenseSchema = z.object({
  samples: z.int().meta({ description: "samples × repeats, as counted by the daily quota" }),
  units: z.int().meta({ description: "requests that must run in order; units run in parallel" }),
  requests: z.int().meta({ description: "requests to the endpoint, without retries" }),
  inputTokens: z.int(),
  outputTokens: z.object({
    expected: z
      .int()
      .nullable()
      .meta({ description: "null without an earlier run to estimate from" }),
    max: z.int().nullable().meta({ description: "null if a request sets no maxTokens" }),
  }),
  costUsd: z
    .object({ expected: z.number().nullable(), max: z.number().nullable() })
    .nullable()
    .meta({ description: "at the given prices; null without prices" }),
  batchCostUsd: z
    .object({ expected: z.number().nullable(), max: z.number().nullable() })
    .nullable()
    .default(null)
    .meta({
      description:
        "the same in batches, at half the price; null without prices, or if the endpoint has no batches",
    }),
  expectedWallSeconds: z.number().meta({
    description: "live: requests × mean latency / concurrency; batches take up to a day",
  }),
});
export type Expense = z.infer<typeof expenseSchema>;

const modelEstimateSchema = expenseSchema
  .extend({
    model: slugSchema,
    variant: variantSchema.nullable().meta({ description: "null without a sweep" }),
    basis: z
      .object({
        requests: z.string(),
        inputTokens: z.string(),
        outputTokens: z.string(),
        costUsd: z.string(),
        expectedWallSeconds: z.string(),
      })
      .meta({ description: "basis of each figure, in words" }),
  })
  .meta({ id: "ModelEstimate" });
export type ModelEstimate = z.infer<typeof modelEstimateSchema>;

/** Number of samples of a dataset needed to distinguish two models. */
const separationSchema = z
  .object({
    runs: z.int().meta({ description: "runs on which it is based" }),
    samples: z.int().meta({ description: "samples of the dataset" }),
    differences: z.array(
      z.object({
        difference: z.number().meta({ description: "of the headline" }),
        least: z.int().meta({ description: "samples, from the most similar pair" }),
        most: z.int().meta({ description: "samples, from the least similar pair" }),
        costUsd: z.number().nullable().meta({
          description: "expected, of one model at `most`; null: not known",
        }),
      }),
    ),
  })
  .meta({
    id: "Separation",
    description: "samples that distinguish models in 80% of cases",
  });

/** The estimate of a submission, returned by a dry run. */
export const submissionEstimateSchema = z
  .object({
    suite: z.string(),
    dataset: z.object({ name: z.string(), version: z.string() }),
    models: z
      .array(modelEstimateSchema)
      .meta({ description: "one per run: by model, then variant" }),
    total: expenseSchema.meta({
      description:
        "sums; the time is that of the slowest run, or of all requests to one endpoint if they exceed the concurrency limit of the service",
    }),
    judgeRequests: z.int().nullable().meta({
      description:
        "maximum number of judgments of all runs, not included in the figures above; stored judgments are not requested again; null: it depends on the answers",
    }),
    judgeCostUsd: z
      .number()
      .nullable()
      .default(null)
      .meta({ description: "expected cost of these judges and of models that prepare samples" }),
    judgeBatchCostUsd: z.number().nullable().default(null).meta({
      description: "the same in batches; null: not known, or a judge's provider has no batches",
    }),
    judging: z.union([runJudgingSchema, z.null()]).meta({
      description:
        "who would judge the answers; not included in the figures here, because the operator pays; null: no judge is called",
    }),
    separation: separationSchema.nullable().default(null).meta({
      description: "null: not known: needs two runs on the board",
    }),
    warnings: z.array(z.string()).meta({
      description: "notes for the submitter; empty: none",
    }),
    quota: sampleUsageSchema.meta({ description: "the key's daily quota before this submission" }),
  })
  .meta({ id: "SubmissionEstimate" });
export type SubmissionEstimate = z.infer<typeof submissionEstimateSchema>;
