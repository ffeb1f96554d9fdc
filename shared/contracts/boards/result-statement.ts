import { z } from "zod";
import { runJudgingSchema } from "../judging/judging.ts";
import { estimateSchema } from "../metric.ts";
import { provenanceKinds, provenanceSchema, runModelSchema, runSchema } from "../run.ts";

/** Path of the public keys, on the deployment's own address. */
export const KEYS_PATH = "/.well-known/assay-keys.json";

const run = runSchema.shape;

/** SHA-256 in hex. */
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** The published result of a run: its numbers and everything they depend on. */
const resultStatementSchema = z
  .object({
    type: z.literal("assay-result"),
    version: z.literal(1),
    run: z.string(),
    parent: z.string().nullable(),
    model: runModelSchema.pick({
      slug: true,
      name: true,
      simulated: true,
      asked: true,
      served: true,
    }),
    suite: z.object({ id: z.string(), version: z.string() }),
    dataset: run.dataset,
    subset: z.object({ n: z.int(), seed: z.number() }).nullable().meta({
      description: "the sampled subset of the dataset; null: all samples",
    }),
    options: z.record(z.string(), z.unknown()),
    hybrid: run.hybrid,
    prices: run.prices,
    judging: z.union([runJudgingSchema, z.null()]),
    scoringVersion: z.string(),
    promptHash: z.string().nullable(),
    codeRevision: z.string().nullable(),
    answers: z.object({
      kind: z.enum([...provenanceKinds, "simulated"]),
      runner: provenanceSchema.shape.runner,
      hosts: z
        .array(z.string())
        .meta({ description: "hosts that were called; empty for submitted answers" }),
      count: z.int(),
      sha256: sha256.nullable().meta({
        description:
          "SHA-256 of the SHA-256 of each line of `answers.jsonl?whole=true`, in order; null: the answers were deleted before the statement",
      }),
    }),
    counts: z.object({
      total: z.int().meta({ description: "number of expected answers" }),
      covered: z.int().meta({ description: "number of received answers" }),
    }),
    coverage: z.number().min(0).max(1),
    wallMs: z.number().nullable().meta({
      description: "time from the run's start to its last answer; null for submitted answers",
    }),
    createdAt: run.createdAt,
    startedAt: run.startedAt,
    finishedAt: z.iso.datetime(),
    headline: z.string(),
    metrics: z.record(z.string(), estimateSchema),
  })
  .meta({ id: "ResultStatement", description: "The published result of a finished run" });
export type ResultStatement = z.infer<typeof resultStatementSchema>;

/** A statement with its signature. */
export const signedStatementSchema = z
  .object({
    statement: resultStatementSchema,
    signature: z.string().nullable().meta({
      description:
        "JWS in compact form (RFC 7515, EdDSA) whose payload is the canonical JSON (RFC 8785) of the statement; null: this deployment signs nothing",
    }),
    keyId: z.string().nullable().meta({ description: "`kid` of the signing key" }),
    keys: z.string().meta({ description: "address of the public keys" }),
    note: z.string().nullable().meta({ description: "why there is no signature; null: signed" }),
  })
  .meta({ id: "SignedStatement" });
export type SignedStatement = z.infer<typeof signedStatementSchema>;

/** A public Ed25519 key (RFC 8037). */
const publicKeySchema = z.object({
  kty: z.literal("OKP"),
  crv: z.literal("Ed25519"),
  x: z.string().meta({ description: "public key, base64url" }),
  kid: z.string().meta({ description: "thumbprint of the key (RFC 7638)" }),
  alg: z.literal("EdDSA"),
  use: z.literal("sig"),
});
export type PublicKey = z.infer<typeof publicKeySchema>;

/** The keys of a deployment: first the one that signs, then those it replaced. */
export const publicKeysSchema = z
  .object({ keys: z.array(publicKeySchema) })
  .meta({ id: "PublicKeys", description: "A JSON Web Key Set (RFC 7517)" });
