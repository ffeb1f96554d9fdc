import { z } from "zod";

/** How much of a limit an account uses. */
const limitSchema = z
  .object({
    used: z.int().nonnegative(),
    allowed: z.int().nullable().meta({ description: "null: unlimited" }),
  })
  .meta({ id: "Limit" });

const most = z.int().nonnegative().max(Number.MAX_SAFE_INTEGER).nullable().optional();

/** Quotas that an operator sets for one account. */
export const quotasSchema = z
  .strictObject({
    dailySamples: most,
    dailyJudgeUsd: z.number().nonnegative().max(1e9).nullable().optional(),
    datasets: most,
    datasetVersions: most,
    datasetBytes: most,
    runBytes: most,
    boards: most,
  })
  .meta({
    id: "Quotas",
    description: "null: unlimited; missing: the service's",
    example: { dailySamples: 50_000, dailyJudgeUsd: 20 },
  });
export type Quotas = z.infer<typeof quotasSchema>;

/** The use of an API key's daily sample quota and of its account's daily judge budget. */
export const sampleUsageSchema = z
  .object({
    day: z.iso.date().meta({ description: "today, UTC" }),
    usedSamples: z.int().nullable().meta({
      description:
        "samples × repeats used today by submissions, retries and rescoring, minus refunds; null: not counted without a key",
    }),
    allowedSamples: z.int().nullable().meta({ description: "null: unlimited" }),
    remainingSamples: z.int().nullable().meta({ description: "null: unlimited" }),
    usedJudgeUsd: z.number().nullable().default(null).meta({
      description:
        "cost of judges for the account's runs that ended today, and estimated cost of active ones submitted today; null: not counted without a key",
    }),
    allowedJudgeUsd: z
      .number()
      .nullable()
      .default(null)
      .meta({ description: "of a day; null: unlimited" }),
    resetsAt: z.iso.datetime().meta({ description: "midnight UTC" }),
  })
  .meta({ id: "SampleUsage" });
export type SampleUsage = z.infer<typeof sampleUsageSchema>;

/** The use of samples and judges, and of all other limits of the account. */
export const usageSchema = sampleUsageSchema
  .extend({
    owner: z
      .string()
      .meta({ description: "the key's account; names of its datasets begin with it" }),
    datasets: limitSchema.meta({ description: "datasets by name" }),
    datasetVersions: limitSchema.meta({ description: "versions of all datasets" }),
    datasetBytes: limitSchema.meta({ description: "their rows as stored" }),
    runBytes: limitSchema.meta({
      description: "stored answers and reports of runs, until they are deleted",
    }),
    sharedWith: z.array(z.string()).meta({
      description:
        "accounts whose use counts together with this one's: a person and the organisations that the person created, of which members of one see only the person and their own",
    }),
    boards: limitSchema.meta({ description: "boards with options other than the standard ones" }),
  })
  .meta({ id: "Usage" });
export type Usage = z.infer<typeof usageSchema>;

/** An account's quotas that replace those of the service. */
export const accountQuotasSchema = z
  .object({ owner: z.string(), quotas: quotasSchema.meta({ description: "empty: the service's" }) })
  .meta({ id: "AccountQuotas" });
