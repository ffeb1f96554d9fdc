import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { runSchema } from "#shared/contracts/run.ts";
import {
  rescoreRequestSchema,
  retryRequestSchema,
} from "#shared/contracts/submissions/run-requests.ts";
import { submissionSchema } from "#shared/contracts/submissions/submission.ts";
import {
  acceptedHeaders,
  idempotencyHeaders,
  keyConflictProblem,
  repeatableRequest,
  replayedHeader,
  replayedHeaders,
} from "../http/idempotency-key.ts";
import { accepted, refusalProblem } from "../http/refusal.ts";
import { callerOf, requireJsonIfAny, requireScope } from "../http/require-scope.ts";
import {
  bodyProblems,
  chargeProblems,
  optionalJsonBody,
  problemResponses,
} from "../http/responses.ts";
import { apiRouter, wantsApiKey } from "../http/router.ts";
import { createOnce } from "../platform/idempotency.ts";
import { acceptSubmission } from "../submissions/routes.ts";
import { ownedRun } from "./access.ts";
import { rescoreRun } from "./rescore-run.ts";
import { retriedRun, retryRun } from "./retry-run.ts";
import { runView } from "./view.ts";

const retry = createRoute({
  method: "post",
  path: "/v1/runs/{id}/retry",
  operationId: "retryRun",
  tags: ["Runs"],
  summary: "Retry the failed samples of a run",
  description:
    "For a finished or failed run whose endpoint Assay called. The same run continues: samples without an answer are requested again, and its metrics are replaced when it finishes. The endpoint's secrets were deleted when the run ended: send them again if it had any. Refunded samples are charged again, to the quota of the calling key.",
  middleware: [requireScope("submit", "admin"), requireJsonIfAny] as const,
  security: wantsApiKey,
  request: {
    params: z.object({ id: nameSchema }),
    headers: idempotencyHeaders,
    body: optionalJsonBody(retryRequestSchema),
  },
  responses: {
    200: {
      description: "The run continues",
      headers: replayedHeaders,
      content: { "application/json": { schema: runSchema } },
    },
    ...problemResponses(...bodyProblems, "not-found", "conflict", ...chargeProblems),
  },
});

export const retryRoutes = apiRouter().openapi(retry, async (c) => {
  const { platform } = c.var;
  const { id } = c.req.valid("param");
  const account = callerOf(c);
  const request = c.req.valid("json");
  const outcome = await createOnce(platform, await repeatableRequest(c, account.owner), {
    idPrefix: "retry",
    find: (retryId) => retriedRun(platform, id, retryId),
    create: (retryId) => retryRun(platform, account, id, request, retryId),
  });
  if (outcome.kind === "refused") return refusalProblem(c, outcome.error);
  if (!("value" in outcome)) return keyConflictProblem(c, outcome);
  if (outcome.kind === "created") return c.json(runView(outcome.value, platform.now()), 200);
  const readable = accepted(await ownedRun(platform, account, id));
  c.header(replayedHeader, "true");
  return c.json(runView(readable, platform.now()), 200);
});

const rescore = createRoute({
  method: "post",
  path: "/v1/runs/{id}/rescore",
  operationId: "rescoreRun",
  tags: ["Runs"],
  summary: "Score the stored answers of a run again",
  description:
    "For a finished run whose suite has changed since, or to use other scoring options. Starts a new run in its own submission, with this run as its `parent`. The model is not called: options that change its requests are rejected. The samples are charged to the quota of the calling key.",
  middleware: [requireScope("submit", "admin"), requireJsonIfAny] as const,
  security: wantsApiKey,
  request: {
    params: z.object({ id: nameSchema }),
    headers: idempotencyHeaders,
    body: optionalJsonBody(rescoreRequestSchema),
  },
  responses: {
    202: {
      description: "Accepted; the new run is queued",
      headers: acceptedHeaders,
      content: { "application/json": { schema: submissionSchema } },
    },
    ...problemResponses(...bodyProblems, "not-found", "conflict", "gone", ...chargeProblems),
  },
});

export const rescoreRoutes = apiRouter().openapi(rescore, async (c) => {
  const { platform } = c.var;
  const { id } = c.req.valid("param");
  const account = callerOf(c);
  const request = c.req.valid("json");
  return acceptSubmission(
    c,
    account,
    (submissionId) => rescoreRun(platform, account, id, request, submissionId),
    (refusal) => refusalProblem(c, refusal),
  );
});
