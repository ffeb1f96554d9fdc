import { z } from "zod";
import { basisShape, crowdedSchema, tagsSchema } from "../../../measures/run-sums/breakdown.ts";
import { levels } from "../sample.ts";
import { failureClasses } from "../score/failures.ts";
import { turnFailures } from "../turns/score-turns.ts";

const count = z.int().nonnegative();
const failureCounts = z.record(z.enum(failureClasses), count);

const thresholdSchema = z.object({
  threshold: z.number().nullable().meta({
    description: "minimum confidence to keep a local answer; null: only the cloud",
  }),
  total: z.number(),
  onDevice: z.number(),
  avgF1: z.number(),
  avgTime: z.number().nullable().meta({ description: "mean time, ms" }),
});

const turnSchema = z.object({
  turn: z.int().positive(),
  n: count.meta({ description: "number of conversations with this turn" }),
  right: count,
  f1: z.number().meta({ description: "mean call F1" }),
  requests: z.number().meta({ description: "mean number of requests" }),
  latencyP50: z.number().nullable().meta({ description: "median latency of the turn, ms" }),
  inputTokens: z.number().nullable().meta({ description: "mean input tokens" }),
  outputTokens: z.number().nullable().meta({ description: "mean output tokens" }),
  costUsd: z.number().nullable().default(null).meta({
    description: "mean cost of the turn's tokens, USD; null without prices",
  }),
  failures: z.record(z.enum(turnFailures), count),
});
export type TurnFigures = z.infer<typeof turnSchema>;

const ends = z.tuple([z.number(), z.number()]).nullable();

const intervalsSchema = z.object({
  threshold: thresholdSchema.shape.threshold,
  total: ends,
  avgF1: ends,
  onDevice: ends,
  avgTime: ends.meta({ description: "mean time, ms" }),
});

/** The tables of a run of the tools suite. */
export const breakdownSchema = z.object({
  ...basisShape,
  counts: z
    .record(z.string(), count)
    .meta({ description: "answers by status, by where calls were read from, and those cut off" }),
  levels: z.array(
    z.object({
      level: z.enum(levels),
      n: count,
      weight: z
        .number()
        .meta({ description: "weight of the level in the total, rescaled to the levels present" }),
    }),
  ),
  failures: failureCounts,
  functions: z
    .array(
      z.object({
        name: z.string(),
        expected: count,
        matched: count,
        failures: failureCounts,
        // Missing from runs that finished before these were stored.
        n: count.default(0).describe("answers in which the function was expected, or failed"),
        interval: z
          .tuple([z.number(), z.number()])
          .nullable()
          .default(null)
          .meta({ description: "95% interval of matched / expected" }),
      }),
    )
    .meta({ description: "results by expected, else called function; most failures first" }),
  arguments: z.array(z.object({ name: z.string(), failures: failureCounts })),
  sources: z
    .array(z.object({ name: z.string(), n: count }))
    .meta({ description: "number of answers by reported source" }),
  turns: z
    .array(turnSchema)
    // Missing from runs that finished before conversations existed.
    .default([])
    .meta({ description: "results by turn, for samples of several turns" }),
  tags: tagsSchema,
  crowded: crowdedSchema,
  hybrid: z
    .object({
      threshold: z.number(),
      n: count.meta({ description: "number of answers for which the cloud was also called" }),
      curve: z.array(thresholdSchema),
      best: thresholdSchema.nullable(),
      intervals: z
        .array(intervalsSchema)
        // Missing from runs that finished before these were stored.
        .default([])
        .meta({
          description: "95% intervals of the curve's ends, the run's own point and the best",
        }),
    })
    .nullable(),
});
export type ToolsBreakdown = z.infer<typeof breakdownSchema>;
