import { z } from "zod";
import { runJudgingSchema } from "../judging/judging.ts";
import { slugSchema } from "../text/slug.ts";
import { sampleUsageSchema } from "./usage.ts";
import { variantSchema } from "./variant.ts";

/** What evaluating something is going to take. */
const expenseSchema = z.object({
  samples: z.int().meta({ description: "samples × repeats: what the daily quota counts" }),
  units: z.int().meta({ description: "what has to run in order; units run side by side" }),
  requests: z.int().meta({ description: "requests to the endpoint, without retries" }),
  inputTokens: z.int(),
  outputTokens: z.object({
    expected: z
      .int()
      .nullable()
      .meta({ description: "null without an earlier run to estimate from" }),
    max: z.int().nullable().meta({ description: "null where a request sets no maxTokens" }),
  }),
  costUsd: z
    .object({ expected: z.number().nullable(), max: z.number().nullable() })
    .nullable()
    .meta({ description: "at the given prices; null without prices" }),
  expectedWallSeconds: z.number().meta({ description: "requests × mean latency / concurrency" }),
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
      .meta({ description: "what each figure rests on, in words" }),
  })
  .meta({ id: "ModelEstimate" });
export type ModelEstimate = z.infer<typeof modelEstimateSchema>;

/** What a submission would take, as a dry run answers. */
export const submissionEstimateSchema = z
  .object({
    suite: z.string(),
    dataset: z.object({ name: z.string(), version: z.string() }),
    models: z.array(modelEstimateSchema).meta({ description: "one a run: by model, then variant" }),
    total: expenseSchema.meta({
      description:
        "sums; the time is that of the slowest run, or of all requests to one endpoint where they are more at once than the service sends",
    }),
    judgeRequests: z.int().nullable().meta({
      description:
        "judgments that all runs want of judges at the most, in no figure above: what is kept from before is not asked again; null: it depends on the answers",
    }),
    judging: runJudgingSchema.nullable().meta({
      description:
        "who would judge the answers, apart from all figures here: the operator pays; null: no judge is asked",
    }),
    warnings: z.array(z.string()).meta({
      description: "what a submitter should know before asking for it; empty: nothing",
    }),
    quota: sampleUsageSchema.meta({ description: "the key's daily quota before this submission" }),
  })
  .meta({ id: "SubmissionEstimate" });
export type SubmissionEstimate = z.infer<typeof submissionEstimateSchema>;
