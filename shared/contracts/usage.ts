import { z } from "zod";

/** What an API key has taken of its daily quota of samples. */
export const usageSchema = z
  .object({
    day: z.iso.date().meta({ description: "today, UTC" }),
    usedSamples: z.int().nullable().meta({
      description:
        "samples × repeats taken today by submissions, retries and rescoring, less those given back; null: not counted without a key",
    }),
    allowedSamples: z.int().nullable().meta({ description: "null: as many as you like" }),
    remainingSamples: z.int().nullable().meta({ description: "null: as many as you like" }),
    resetsAt: z.iso.datetime().meta({ description: "midnight UTC" }),
  })
  .meta({ id: "Usage" });
export type Usage = z.infer<typeof usageSchema>;
