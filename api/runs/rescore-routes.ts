import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { rescoreRequestSchema } from "#shared/contracts/run-requests.ts";
import { submissionSchema } from "#shared/contracts/submission.ts";
import { acceptedHeaders, idempotencyHeaders } from "../http/idempotency-key.ts";
import { problemResponses } from "../http/problem-response.ts";
import { refusedRun } from "../http/refused-run.ts";
import { requireJsonIfAny } from "../http/require-json.ts";
import { requireScope } from "../http/require-scope.ts";
import { apiRouter, wantsApiKey } from "../http/router.ts";
import { acceptSubmission } from "../submissions/routes.ts";
import { rescoreRun } from "./rescore-run.ts";

const rescore = createRoute({
  method: "post",
  path: "/v1/runs/{id}/rescore",
  operationId: "rescoreRun",
  tags: ["Runs"],
  summary: "Score the stored answers of a run anew",
  description:
    "For a finished run whose suite has changed since, or that is to be scored with other scoring options. Starts a new run in a submission of its own, which names this one as its `parent`. The model is not asked: options that change what it is asked are refused. Its samples are taken from the quota of the calling key. With an `idempotency-key` it is safe to send the same request again.",
  middleware: [requireScope("submit", "admin"), requireJsonIfAny] as const,
  security: wantsApiKey,
  request: {
    params: z.object({ id: nameSchema }),
    headers: idempotencyHeaders,
    body: { content: { "application/json": { schema: rescoreRequestSchema } } },
  },
  responses: {
    202: {
      description: "Accepted; the new run is queued",
      headers: acceptedHeaders,
      content: { "application/json": { schema: submissionSchema } },
    },
    ...problemResponses(
      "invalid-request",
      "malformed-json",
      "unauthorized",
      "forbidden",
      "not-found",
      "conflict",
      "gone",
      "idempotency-key-reused",
      "request-in-progress",
      "quota-exceeded",
      "unsupported-media-type",
    ),
  },
});

/** Scoring stored answers anew. */
export const rescoreRoutes = apiRouter().openapi(rescore, async (c) => {
  const { ports, account } = c.var;
  const { id } = c.req.valid("param");
  if (account === null) throw new Error("requireScope lets nobody through without an account");
  const request = c.req.valid("json");
  return acceptSubmission(
    c,
    account,
    (submissionId) => rescoreRun(ports, account, id, request, submissionId),
    (refusal) => refusedRun(c, refusal),
  );
});
