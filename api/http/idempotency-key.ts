import { z } from "@hono/zod-openapi";
import { textHash } from "#shared/contracts/content-hash.ts";
import type { KeyConflict, RepeatableRequest } from "../platform/idempotency.ts";
import { problem } from "./responses.ts";
import type { AppContext } from "./router.ts";

/** Seconds until the client should retry; the first request is most likely done by then. */
const RETRY_SECONDS = "2";

/** Response header of a reply that repeats an earlier one. */
export const replayedHeader = "idempotency-replayed";

/** Headers of a reply that may repeat an earlier one. */
export const replayedHeaders = z.object({
  [replayedHeader]: z
    .literal("true")
    .optional()
    .meta({ description: "an earlier request with this idempotency-key created it" }),
});

/** Headers of a reply that accepts a submission. */
export const acceptedHeaders = replayedHeaders.extend({ location: z.string() });

/**
 * Request headers of routes that create something once (draft-ietf-httpapi-idempotency-key-header). The draft writes
 * the key in double quotes; common services write it without. Both are accepted.
 */
export const idempotencyHeaders = z.object({
  "idempotency-key": z
    .string()
    .regex(/^(?!""$)(?:"[\x21-\x7e]{1,255}"|[\x21-\x7e]{1,255})$/, {
      error: "must be 1–255 visible ASCII characters",
    })
    .optional()
    .meta({
      description:
        "a unique value, such as a UUID, for each new request. Sending the same request with the same key within 24 hours creates nothing and returns the same response, with the header `idempotency-replayed: true`",
      example: "8e03978e-40d5-43dd-bc93-6894a57f9324",
    }),
});

/** The request in the form that `createOnce` needs; null without the header. */
export async function repeatableRequest(
  c: AppContext,
  owner: string,
): Promise<RepeatableRequest | null> {
  const given = c.req.header("idempotency-key");
  if (given === undefined) return null;
  const key = /^"(.+)"$/.exec(given)?.[1] ?? given;
  const route = `${c.req.method} ${c.req.path}`;
  const bodyHash = textHash([owner, route, textHash(await c.req.text())].join("\n"));
  return { owner, key, bodyHash };
}

/** The problem for a key that belongs to another request, or to one in progress. */
export function keyConflictProblem(c: AppContext, { kind }: KeyConflict) {
  const key = c.req.header("idempotency-key");
  if (kind === "reused") {
    const detail = `the idempotency-key ${key} was used for a different request in the last 24 hours; nothing was done: use a new key for each new request`;
    return problem(c, "idempotency-key-reused", detail);
  }
  c.header("retry-after", RETRY_SECONDS);
  const detail = `the request with idempotency-key ${key} is still in progress; send it again in ${RETRY_SECONDS} s to get its response`;
  return problem(c, "request-in-progress", detail);
}
