import { z } from "zod";

const waitSchema = z
  .object({
    n: z.int().meta({ description: "samples with a known wait" }),
    p50: z.number().nullable(),
    p95: z.number().nullable(),
    p99: z.number().nullable(),
    max: z.number().nullable(),
  })
  .meta({ id: "Wait", description: "quantiles in ms; null if there are none" });

/** Progress of a run over time: throughput by time bin, and waits separate from latency. */
export const timelineSchema = z
  .object({
    wallMs: z.number().meta({ description: "from the run's start to its last answer" }),
    binMs: z.number().meta({ description: "length of a bin; all are equal" }),
    bins: z
      .array(
        z.object({
          completed: z.int().meta({ description: "samples answered in this bin" }),
          failed: z.int().meta({ description: "samples that finally failed in this bin" }),
          attempts: z.int().meta({ description: "HTTP calls for both, at any time" }),
          meanLatencyMs: z.number().nullable().meta({ description: "of answered requests" }),
        }),
      )
      .meta({ description: "at most 60, none shorter than a second unless it is the only one" }),
    queueWaitMs: waitSchema,
    retryWaitMs: waitSchema,
  })
  .meta({ id: "Timeline" });
export type Timeline = z.infer<typeof timelineSchema>;
