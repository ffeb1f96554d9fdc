import { z } from "zod";

/** How much of a limit an account uses. */
const limitSchema = z
  .object({
    used: z.int().nonnegative(),
    allowed: z.int().nullable().meta({ description: "maximum; null: unlimited" }),
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
    day: z.iso.date().meta({ description: "current day, UTC" }),
    usedSamples: z.int().nullable().meta({
      description:
        "samples × repeats used today by submissions, retries and rescoring, minus refunds; null: not counted without a key",
    }),
    allowedSamples: z.int().nullable().describe("daily quota of samples; null: unlimited"),
    remainingSamples: z.int().nullable().describe("samples left today; null: unlimited"),
    usedJudgeUsd: z.number().nullable().default(null).meta({
      description:
        "cost of judges for the account's runs that ended today, and estimated cost of active ones submitted today; null: not counted without a key",
    }),
    allowedJudgeUsd: z.number().nullable().default(null).meta({
      description: "daily budget for judges, USD; null: unlimited",
    }),
    resetsAt: z.iso.datetime().meta({ description: "when the daily quota resets: midnight UTC" }),
  })
  .meta({ id: "SampleUsage" });
export type SampleUsage = z.infer<typeof sampleUsageSchema>;

/** The use of samples and judges, and of all other limits of the account. */
export const usageSchema = sampleUsageSchema
  .extend({
    owner: z.string().describe("account of the key; names of its datasets begin with it"),
    datasets: limitSchema.meta({ description: "number of datasets, without their versions" }),
    datasetVersions: limitSchema.meta({ description: "number of versions of all datasets" }),
    datasetBytes: limitSchema.meta({ description: "stored bytes of the datasets' rows" }),
    runBytes: limitSchema.describe("bytes of stored answers and reports of runs, until deletion"),
    sharedWith: z.array(z.string()).meta({
      description:
        "accounts that share these limits: a person and the organisations that the person created; members of an organisation see only the person and their own organisation",
    }),
    boards: limitSchema.describe("number of boards with other than the standard options"),
  })
  .meta({ id: "Usage" });
export type Usage = z.infer<typeof usageSchema>;

/** An account's quotas that replace those of the service. */
export const accountQuotasSchema = z
  .object({
    owner: z.string(),
    quotas: quotasSchema.describe("quotas that replace those of the service; empty: none"),
  })
  .meta({ id: "AccountQuotas" });
