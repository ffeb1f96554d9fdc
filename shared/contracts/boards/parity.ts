import { z } from "zod";
import { estimateSchema } from "../metric.ts";
import { provenanceSchema, runModelSchema, runSchema, runStatusSchema } from "../run.ts";
import { pricesSchema } from "../submissions/prices.ts";
import { submittedModelSchema } from "../submissions/submission.ts";
import { printableText } from "../text/printable-text.ts";
import { slugPattern } from "../text/slug.ts";
import { testedUnitsSchema } from "./comparison.ts";
import { signedStatementSchema } from "./result-statement.ts";

/**
 * `MOST_HOSTS`: maximum runs added by a parity's owner, including the reference; also of shown runs added by all others.
 * `MOST_FOREIGN_HOSTS`: maximum runs added by one other account. Removed runs still count towards an account's limit.
 */
export const MOST_HOSTS = 30;
export const MOST_FOREIGN_HOSTS = 5;

const runId = z.string().max(100).meta({ example: "run_01a2b3c4" });
const labelSchema = printableText(80).meta({
  description: "name of the host in tables; default: the host of the endpoint",
  example: "Example Cloud",
});

/** A run with the label of its host. */
const namedRunSchema = z.strictObject({ run: runId, label: labelSchema.optional() });

/** The name of a parity. */
const parityNameSchema = z
  .string()
  .max(129)
  .regex(slugPattern, {
    error:
      "must be owner/name in lower case, with the name of your account and a name of your choice for the parity: letters, digits and . _ - between them",
  })
  .meta({
    description: "owner/name, where owner is the account of the API key",
    example: "acme/extract-7b-hosts",
  });

export const parityRequestSchema = z
  .strictObject({
    name: parityNameSchema,
    reference: namedRunSchema.describe("finished public run of the host to compare others with"),
    margin: z.number().positive().max(1e6).meta({
      description:
        "largest acceptable loss against the reference, in the unit of its headline metric",
      example: 0.05,
    }),
    hosts: z
      .array(namedRunSchema)
      .max(MOST_HOSTS - 1)
      .default([])
      .describe(
        "finished public runs of your account at other hosts. They are marked as run before the margin was stated",
      ),
  })
  .meta({ id: "ParityRequest" });
export type ParityRequest = z.infer<typeof parityRequestSchema>;

export const addedHostSchema = z
  .strictObject({
    label: labelSchema.optional(),
    run: runId.optional().meta({ description: "id of a finished public run of your account" }),
    endpoint: submittedModelSchema.shape.endpoint.describe(
      "host at which a run with the reference's dataset, options and inference settings starts; its settings may only add extraBody, such as the provider for a router",
    ),
    prices: pricesSchema.optional(),
  })
  .refine(({ run, endpoint }) => (run === undefined) !== (endpoint === undefined), {
    error: "give either run or endpoint",
  })
  .meta({ id: "AddedHost" });
export type AddedHost = z.infer<typeof addedHostSchema>;

const verdicts = ["equivalent", "non-inferior", "worse", "not-shown"] as const;
export type HostVerdict = (typeof verdicts)[number];

const probability = z.number().min(0).max(1);

const versusSchema = z.object({
  difference: z
    .number()
    .meta({ description: "difference of the metric, host − reference, on the same samples" }),
  interval: z
    .tuple([z.number(), z.number()])
    .meta({ description: "95% interval of the difference" }),
  samples: z.int(),
  units: testedUnitsSchema,
  noWorse: probability.meta({
    description: "p-value of the null hypothesis that the host is worse by the margin or more",
  }),
  same: probability.describe(
    "p-value of the null hypothesis that host and reference differ by the margin or more",
  ),
  worse: probability.describe("p-value of the null hypothesis that the host is not worse at all"),
  verdict: z.enum(verdicts).meta({
    description:
      "at 0.025, one-sided, each p-value corrected by Holm over all runs that the same account added, including earlier, failed and removed ones. equivalent: within the margin in both directions; non-inferior: no worse by the margin; worse: below the reference, and not shown to be within the margin; not-shown: none of these, which does not mean that they are equal",
  }),
});

const count = z.int().nonnegative();

const parityHostSchema = z
  .object({
    run: z.string(),
    label: z.string(),
    owner: z.string().meta({ description: "account that ran the host's run" }),
    addedBy: z.string().meta({
      description:
        "account that added the run; each account's runs are a separate family of tests, so no account changes the verdicts of others",
    }),
    attempt: z.int().positive().meta({
      description: "position of this run, from 1, among the account's runs of this label",
    }),
    attempts: z.int().positive().meta({
      description:
        "number of runs of this label that the account ever added, including removed ones",
    }),
    isLatest: z.boolean().meta({
      description:
        "whether this is the host's latest finished run, whose verdict counts, or its latest run if none finished",
    }),
    asked: z.string().nullable().meta({ description: "id of the model at this host" }),
    provenance: provenanceSchema,
    status: runStatusSchema,
    finishedAt: z.iso.datetime().nullable(),
    statedBefore: z.boolean().meta({
      description:
        "whether the margin was stated before the run began; false for answers made elsewhere and for the reference",
    }),
    metrics: z.record(z.string(), estimateSchema).meta({
      description:
        "headline, the suite's metrics of hosts such as schema accuracy, latency, speed, cost; empty until finished",
    }),
    outcomes: z
      .object({
        answers: count,
        refused: count.nullable(),
        empty: count.nullable(),
        truncated: count.nullable(),
      })
      .nullable()
      .meta({ description: "numbers of answers; null: not finished, or not counted by the suite" }),
    versus: versusSchema.nullable().describe("comparison with the reference; null: not compared"),
    note: z.string().nullable().meta({ description: "why the run is not compared; null: it is" }),
  })
  .meta({ id: "ParityHost" });
export type ParityHost = z.infer<typeof parityHostSchema>;

const removedSchema = z.object({
  addedBy: z.string(),
  label: z.string().nullable().describe("name of the host; null: somebody else removed the runs"),
  removedBy: z.string().nullable().meta({
    description: "account that removed them; null: the runs were withdrawn",
  }),
  runs: z.int().positive(),
});
export type RemovedRuns = z.infer<typeof removedSchema>;

/** One model at several hosts, each compared with the reference. */
export const paritySchema = z
  .object({
    name: z.string(),
    model: z.string().meta({ description: "name of the model" }),
    simulated: runModelSchema.shape.simulated,
    suite: z.string(),
    suiteVersion: z.string(),
    dataset: runSchema.shape.dataset,
    options: runSchema.shape.options,
    scoringVersion: z.string(),
    promptHash: z.string().nullable(),
    metric: z.string().meta({ description: "id of the compared metric" }),
    better: z.enum(["higher", "lower"]),
    margin: z.number().positive(),
    createdAt: z.iso.datetime(),
    verdict: z.string().meta({ description: "result in one or two sentences" }),
    reference: parityHostSchema,
    hosts: z.array(parityHostSchema).meta({ description: "hosts, in the order of adding" }),
    removed: z.array(removedSchema).meta({
      description: "removed or withdrawn runs; tests are still corrected for them",
    }),
  })
  .meta({ id: "Parity" });
export type Parity = z.infer<typeof paritySchema>;

/** A parity with the signature of its current state. */
export const signedParitySchema = signedStatementSchema
  .extend({
    statement: paritySchema.extend({
      type: z.literal("assay-parity"),
      version: z.literal(1),
      asOf: z.iso.datetime().optional().meta({
        description:
          "time of signing: the parity may have changed since. Missing in statements of earlier versions",
      }),
    }),
  })
  .meta({ id: "SignedParity" });
export type SignedParity = z.infer<typeof signedParitySchema>;

/** A parity in lists. */
export const listedParitySchema = paritySchema
  .pick({ name: true, model: true, suite: true, metric: true, margin: true, createdAt: true })
  .extend({
    dataset: z.string(),
    hosts: z.int().positive().describe("number of different hosts, including the reference"),
  })
  .meta({ id: "ListedParity" });
