import { z } from "zod";
import { errorClasses } from "../answer.ts";

const known = z.number().nullable();

/** Single answers of a run: a random subset for charts, and notable ones. */
export const runPointsSchema = z
  .object({
    answers: z.int().meta({ description: "number of answers of the run" }),
    reused: z.int().positive().optional().meta({
      description: "number of reused answers: stored, to the same request, without latency",
    }),
    points: z
      .array(
        z.object({
          id: z.string(),
          score: known,
          latencyMs: known,
          inputTokens: known,
          outputTokens: known,
          features: z
            .record(z.string(), z.union([z.number(), z.string()]))
            .meta({ description: "properties of a sample defined by the suite, by name" }),
        }),
      )
      .meta({ description: "up to 300 answers, chosen at random with a fixed seed" }),
    latency: z
      .array(z.object({ from: z.number(), to: z.number(), count: z.int() }))
      .meta({ description: "histogram of all latencies, ms; empty if there are none" }),
    // Missing in runs that finished before this field existed.
    failures: z
      .array(
        z.object({
          class: z.enum(errorClasses),
          count: z.int(),
          id: z.string().meta({ description: "id of the first sample with this error" }),
          message: z
            .string()
            .meta({ description: "error message of that request, at most 300 characters" }),
        }),
      )
      .optional()
      .meta({ description: "why requests failed after all retries, the most frequent first" }),
    judgeFailures: z
      .array(z.object({ judge: z.string(), reason: z.string(), count: z.int() }))
      .optional()
      .meta({
        description:
          "why judgments are missing: judge and kind of failure, the most frequent first",
      }),
    picks: z
      .array(
        z.object({
          kind: z.enum(["worst", "best", "odd"]),
          reason: z.string(),
          seq: z.int(),
          id: z.string(),
          repeat: z.int(),
        }),
      )
      .meta({ description: "notable answers, each listed once" }),
  })
  .meta({ id: "RunPoints" });
export type RunPoints = z.infer<typeof runPointsSchema>;
