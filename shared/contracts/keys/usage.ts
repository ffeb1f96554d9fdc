import { z } from "zod";

/** How much of a limit an account uses. */
const limitSchema = z
  .object({
    used: z.int().nonnegative(),
    allowed: z.int().nullable().meta({ description: "null: unlimited" }),
  })
  .meta({ id: "Limit" });

/** An API key's use of its daily quota of samples. */
export const sampleUsageSchema = z
  .object({
    day: z.iso.date().meta({ description: "today, UTC" }),
    usedSamples: z.int().nullable().meta({
      description:
        "samples × repeats used today by submissions, retries and rescoring, minus refunds; null: not counted without a key",
    }),
    allowedSamples: z.int().nullable().meta({ description: "null: unlimited" }),
    remainingSamples: z.int().nullable().meta({ description: "null: unlimited" }),
    resetsAt: z.iso.datetime().meta({ description: "midnight UTC" }),
  })
  .meta({ id: "SampleUsage" });
export type SampleUsage = z.infer<typeof sampleUsageSchema>;

/** Also the account's use of all other limits. */
export const usageSchema = sampleUsageSchema
  .extend({
    owner: z
      .string()
      .meta({ description: "the key's account; names of its datasets begin with it" }),
    datasets: limitSchema.meta({ description: "datasets by name" }),
    datasetVersions: limitSchema.meta({ description: "versions of all datasets" }),
    datasetBytes: limitSchema.meta({ description: "their rows as stored" }),
    boards: limitSchema.meta({ description: "boards with options other than the standard ones" }),
  })
  .meta({ id: "Usage" });
export type Usage = z.infer<typeof usageSchema>;
