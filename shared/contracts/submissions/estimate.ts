import { z } from "zod";
import { runJudgingSchema } from "../judging/judging.ts";
import { sampleUsageSchema } from "../keys/usage.ts";
import { slugSchema } from "../text/slug.ts";
import { variantSchema } from "./variant.ts";

/** Estimated cost of an evaluation. */
const expenseSchema = z.object({
  samples: z.int().meta({ description: "samples × repeats, as counted by the daily quota" }),
  units: z.int().describe("number of units, which run in parallel, with requests in order"),
  requests: z.int().meta({ description: "requests to the endpoint, without retries" }),
  inputTokens: z.int(),
  outputTokens: z.object({
    expected: z.int().nullable().meta({
      description: "expected output tokens; null without an earlier run to estimate from",
    }),
    max: z.int().nullable().describe("maximum output tokens; null if a request sets no maxTokens"),
  }),
  costUsd: z
    .object({ expected: z.number().nullable(), max: z.number().nullable() })
    .nullable()
    .meta({ description: "cost at the given prices; null without prices" }),
  batchCostUsd: z
    .object({ expected: z.number().nullable(), max: z.number().nullable() })
    .nullable()
    .default(null)
    .describe(
      "cost in batches, at half the price; null without prices, or if the endpoint has no batches",
    ),
  expectedWallSeconds: z.number().meta({
    description:
      "duration in mode live: requests × mean latency / concurrency; batches take up to a day",
  }),
});
export type Expense = z.infer<typeof expenseSchema>;

const modelEstimateSchema = expenseSchema
  .extend({
    model: slugSchema,
    variant: variantSchema.nullable().describe("options set by the sweep; null without a sweep"),
    basis: z
      .object({
        requests: z.string(),
        inputTokens: z.string(),
        outputTokens: z.string(),
        costUsd: z.string(),
        expectedWallSeconds: z.string(),
      })
      .meta({ description: "how each figure is estimated, in words" }),
  })
  .meta({ id: "ModelEstimate" });
export type ModelEstimate = z.infer<typeof modelEstimateSchema>;

/** Number of samples of a dataset needed to distinguish two models. */
const separationSchema = z
  .object({
    runs: z.int().meta({ description: "number of runs on which the estimate is based" }),
    samples: z.int().meta({ description: "number of samples in the dataset" }),
    differences: z.array(
      z.object({
        difference: z.number().meta({ description: "difference of the headline metric to detect" }),
        least: z.int().meta({ description: "samples needed, by the most similar pair of runs" }),
        most: z.int().meta({ description: "samples needed, by the least similar pair of runs" }),
        costUsd: z.number().nullable().meta({
          description: "expected cost of one model on `most` samples; null: not known",
        }),
      }),
    ),
  })
  .meta({
    id: "Separation",
    description: "number of samples that tells two models apart in 80% of cases",
  });

/** The estimate of a submission, returned by a dry run. */
export const submissionEstimateSchema = z
  .object({
    suite: z.string(),
    dataset: z.object({ name: z.string(), version: z.string() }),
    models: z
      .array(modelEstimateSchema)
      .meta({ description: "estimates of the runs, ordered by model, then variant" }),
    total: expenseSchema.describe(
      "sums over the runs; the duration is that of the slowest run, or of all requests to one endpoint if they exceed the service's concurrency limit",
    ),
    judgeRequests: z.int().nullable().meta({
      description:
        "maximum number of judgments of all runs, not included in `total`; stored judgments are not requested again; null: depends on the answers",
    }),
    judgeCostUsd: z.number().nullable().default(null).meta({
      description: "expected cost of judges and of models that prepare samples",
    }),
    judgeBatchCostUsd: z.number().nullable().default(null).meta({
      description:
        "expected cost of judging in batches; null: not known, or a judge's provider has no batches",
    }),
    judging: z.union([runJudgingSchema, z.null()]).meta({
      description:
        "judges of the answers, not included in `total` because the operator pays; null: no judge is called",
    }),
    separation: separationSchema.nullable().default(null).meta({
      description: "samples needed to tell models apart; null: fewer than two runs on the board",
    }),
    warnings: z.array(z.string()).meta({ description: "warnings for the submitter" }),
    quota: sampleUsageSchema.meta({ description: "the key's daily quota before this submission" }),
  })
  .meta({ id: "SubmissionEstimate" });
export type SubmissionEstimate = z.infer<typeof submissionEstimateSchema>;
