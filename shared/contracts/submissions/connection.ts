import { z } from "zod";
import { protocols } from "./providers.ts";
import { testedSchema } from "./submission.ts";

/** The endpoint to test. */
export const connectionRequestSchema = z
  .strictObject({ endpoint: testedSchema })
  .meta({ id: "ConnectionRequest" });
export type TestedAddress = z.infer<typeof testedSchema>;

/** The outcome of one check of an endpoint. */
const checkSchema = z.object({
  id: z.string(),
  label: z.string(),
  outcome: z.enum(["ok", "no", "failed", "skipped"]).meta({
    description: "no: not supported, but not required; skipped: it could not be tried",
  }),
  detail: z.string().meta({ description: "what was observed" }),
  enforced: z.enum(["constrained", "asked for", "ignored", "not asked for"]).optional().meta({
    description: "for an accepted structured-output mode: whether the endpoint enforces the schema",
  }),
  hint: z.string().nullable().meta({ description: "recommended action; null: none" }),
  ms: z.number().nullable(),
});
export type Check = z.infer<typeof checkSchema>;

/** Latency of short answers, and rate limits of the endpoint. */
const latencySchema = z.object({
  n: z.int().meta({ description: "number of answers to sequential requests" }),
  asked: z.int(),
  medianMs: z.number().nullable(),
  minMs: z.number().nullable(),
  maxMs: z.number().nullable(),
  rateLimits: z.record(z.string(), z.string()).describe("rate-limit headers of the last answer"),
});
export type Latency = z.infer<typeof latencySchema>;

/** Results of testing an endpoint. */
export const testedEndpointSchema = z.object({
  endpoint: z.string(),
  model: z.string(),
  protocol: z.enum(protocols).meta({ description: "interface that was tested" }),
  usable: z.boolean().meta({ description: "whether the model answers at all" }),
  checks: z.array(checkSchema),
  latency: latencySchema
    .nullable()
    .meta({ description: "latency of short answers; null: the model does not answer" }),
});
export type TestedEndpoint = z.infer<typeof testedEndpointSchema>;

/** Test results from the service, with the models that the endpoint lists. */
export const connectionSchema = testedEndpointSchema
  .extend({
    models: z.array(z.string()).meta({ description: "model names that the endpoint lists" }),
  })
  .meta({ id: "Connection" });
export type Connection = z.infer<typeof connectionSchema>;
