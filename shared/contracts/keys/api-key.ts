import { z } from "zod";
import { ownerSchema } from "../text/slug.ts";
import { isPrintable } from "../text/well-formed.ts";

/**
 * What a key allows: rating answers of its owner's runs, calling endpoints as its owner's runner, submitting its owner's
 * models and datasets, managing organisations as the person who signed a program in, or everything.
 */
export const scopeSchema = z.enum(["rate", "runner", "submit", "organisations", "admin"]);
export type Scope = z.infer<typeof scopeSchema>;

/** Scopes that a created key can have; only keys of `assay login` have the others. */
export const givenScopeSchema = scopeSchema.exclude(["organisations"]);

/** Far more than a service evaluates in a day, and far below the largest exact integer. */
const MAX_DAILY_SAMPLES = 1_000_000_000;

export const newApiKeySchema = z
  .strictObject({
    owner: ownerSchema,
    name: z
      .string()
      .trim()
      .max(80)
      .refine(isPrintable, { error: "must contain visible characters and no control characters" })
      .meta({ description: "purpose of the key", example: "nightly job" }),
    scopes: z.array(givenScopeSchema).min(1).max(10).default(["submit"]),
    expiresAt: z.iso.datetime({ offset: true }).optional(),
    dailySamples: z.int().min(1).max(MAX_DAILY_SAMPLES).optional().meta({
      description: "daily quota of samples × repeats (UTC); default: the service's",
    }),
  })
  .meta({ id: "NewApiKey" });
export type NewApiKey = z.infer<typeof newApiKeySchema>;

/** A key in a list, without the secret itself. */
export const apiKeySchema = z
  .object({
    id: z.string(),
    owner: z.string(),
    name: z.string(),
    scopes: z.array(scopeSchema),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable(),
    dailySamples: z.int().nullable().describe("daily sample quota; null: the service's"),
    revokedAt: z.iso.datetime().nullable(),
    lastUsedAt: z.iso.datetime().nullable().describe("time of the last use, to within a minute"),
    createdBy: z.string().nullish().meta({
      description: "account of the person who created it; null: the operator",
    }),
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.infer<typeof apiKeySchema>;

export const createdApiKeySchema = apiKeySchema
  .extend({ key: z.string().meta({ description: "secret key, shown only once" }) })
  .meta({ id: "CreatedApiKey" });
export type CreatedApiKey = z.infer<typeof createdApiKeySchema>;
