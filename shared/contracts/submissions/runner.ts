import { z } from "zod";
import { bounds } from "../bounds.ts";
import { textHash } from "../content-hash.ts";
import { ownerSchema } from "../text/slug.ts";
import { protocols } from "./providers.ts";

/** Longest time that the service lets a runner wait for work, ms. */
export const RUNNER_WAIT_MAX_MS = 25_000;
/** After this time without a sign of life from its runner, a request is given to another runner, ms. */
export const RUNNER_LEASE_MS = 60_000;
/** Maximum number of requests that a runner has at the same time. */
export const RUNNER_MOST = 200;
/** Maximum length of an endpoint's reply, characters: a stream is longer than its answer. */
export const RUNNER_BODY_MAX = 8 * 1024 * 1024;
/** Maximum number of arrival times of a reply's parts. */
export const RUNNER_MARKS_MAX = 2_000;

/** The name of a runner within its account. */
export const runnerNameSchema = ownerSchema.meta({ example: "lab" });

/** A public key of a runner: Ed25519, the `x` of its JWK. */
export const runnerKeySchema = z
  .strictObject({
    publicKey: z
      .string()
      .max(43)
      .regex(/^[\w-]{43}$/, { error: "must be the x of an Ed25519 key, 43 characters" }),
  })
  .meta({ id: "RunnerKey" });

export const runnerSchema = z
  .object({
    name: z.string(),
    keys: z.array(z.string()).meta({ description: "thumbprints (RFC 7638) of the runner's keys" }),
    createdAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime().nullable().meta({
      description: "when the runner last asked for work, to within 10 s; null: never",
    }),
  })
  .meta({
    id: "Runner",
    description: "program that calls endpoints of a private network for the service",
  });
export type Runner = z.infer<typeof runnerSchema>;

const leasedSchema = z.object({ id: z.string().max(64), lease: z.string().max(bounds.name) });
export type Leased = z.infer<typeof leasedSchema>;

/** A runner's request for work. */
export const runnerPollSchema = z
  .strictObject({
    take: z.int().min(0).max(RUNNER_MOST).describe("number of requests that it can take"),
    holding: z.array(leasedSchema.strict()).max(RUNNER_MOST).default([]).meta({
      description: "requests that the runner is sending; their leases are renewed",
    }),
    waitMs: z.int().min(0).max(RUNNER_WAIT_MAX_MS).default(0).meta({
      description: "maximum time that the service waits for a request",
    }),
  })
  .meta({ id: "RunnerPoll" });
export type RunnerPoll = z.infer<typeof runnerPollSchema>;

/** An HTTP request of the service, without the endpoint's key. */
const runnerRequestSchema = z.object({
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  protocol: z.enum(protocols).optional(),
  timeoutMs: z.number(),
});
export type RunnerRequest = z.infer<typeof runnerRequestSchema>;

export const runnerWorkSchema = z
  .object({
    requests: z.array(leasedSchema.extend({ request: runnerRequestSchema })),
    gone: z.array(z.string()).meta({
      description: "ids of held requests that nobody waits for or that another runner has",
    }),
  })
  .meta({ id: "RunnerWork" });
export type RunnerWork = z.infer<typeof runnerWorkSchema>;

/** Why a runner has no complete reply. */
const runnerFailures = ["timeout", "network", "too_large", "blocked"] as const;

const duration = z.number().min(0).max(3_600_000);

/** The reply of an endpoint, as its runner measured it. */
export const runnerReplySchema = z
  .strictObject({
    status: z.int().min(200).max(599).nullable().describe("HTTP status; null: no reply"),
    headers: z
      .record(z.string().max(100), z.string().max(4_096))
      .refine((headers) => Object.keys(headers).length <= 20, {
        error: "must be at most 20 headers",
      })
      .meta({ maxProperties: 20 }),
    body: z.string().max(RUNNER_BODY_MAX),
    headersMs: duration.nullable().describe("time from sending to the headers; null: no headers"),
    marks: z
      .array(z.tuple([z.int().min(0).max(RUNNER_BODY_MAX), duration]).meta({ maxItems: 2 }))
      .max(RUNNER_MARKS_MAX)
      .describe("arrivals of the body's parts, as [length of the body so far, ms from sending]"),
    elapsedMs: duration.meta({ description: "time from sending to the end of the reply" }),
    failure: z
      .strictObject({ class: z.enum(runnerFailures), message: z.string().max(bounds.message) })
      .nullable(),
  })
  .refine(({ status, failure }) => status !== null || failure !== null, {
    path: ["failure"],
    error: "is required without a status",
  })
  .meta({ id: "RunnerReply" });
export type RunnerReply = z.infer<typeof runnerReplySchema>;

export const storedReplySchema = z.object({ stored: z.literal(true) });

/** Headers of a posted reply: its lease, and the signature with the thumbprint of its key. */
export const runnerReplyHeadersSchema = z.object({
  "assay-lease": z.string().max(bounds.name),
  "assay-key-id": z.string().max(43),
  "assay-signature": z.string().max(100).meta({
    description: "base64url of the Ed25519 signature of the signed text",
  }),
});

/**
 * The text that a runner signs. The id is a hash of the request, so the signature covers the request, too.
 * @example signedReplyText({ id: "a", lease: "b" }, "{}").split("\n").length // 4
 */
export const signedReplyText = ({ id, lease }: Leased, reply: string): string =>
  ["assay-runner-reply", id, lease, textHash(reply)].join("\n");
