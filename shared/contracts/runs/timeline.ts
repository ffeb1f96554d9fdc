import { z } from "zod";

const waitSchema = z
  .object({
    n: z.int().meta({ description: "samples with a known wait" }),
    p50: z.number().nullable(),
    p95: z.number().nullable(),
    p99: z.number().nullable(),
    max: z.number().nullable(),
  })
  .meta({ id: "Wait", description: "quantiles of the wait, ms; null if no wait is known" });

/** Progress of a run over time: throughput by time bin, and waits separate from latency. */
export const timelineSchema = z
  .object({
    wallMs: z.number().meta({ description: "time from the run's start to its last answer" }),
    binMs: z.number().meta({ description: "length of each bin" }),
    bins: z
      .array(
        z.object({
          completed: z.int().meta({ description: "samples answered in this bin" }),
          failed: z.int().meta({ description: "samples that finally failed in this bin" }),
          attempts: z.int().meta({ description: "HTTP calls for these samples, at any time" }),
          meanLatencyMs: z.number().nullable().describe("mean latency of answered requests"),
        }),
      )
      .describe("time bins, at most 60, each at least a second long unless it is the only one"),
    queueWaitMs: waitSchema,
    retryWaitMs: waitSchema,
  })
  .meta({ id: "Timeline" });
export type Timeline = z.infer<typeof timelineSchema>;
