import { createRoute, z } from "@hono/zod-openapi";
import { runSchema } from "#shared/contracts/run.ts";
import { retryRequestSchema } from "#shared/contracts/run-requests.ts";
import { retryRun } from "../pipeline/again/retry-run.ts";
import { runView } from "../pipeline/runs/run-view.ts";
import { apiRouter, wantsApiKey } from "./api-app.ts";
import { problemResponses } from "./problem-response.ts";
import { refusedRun } from "./refused-run.ts";
import { requireJsonIfAny } from "./require-json.ts";
import { requireScope } from "./require-scope.ts";

const retry = createRoute({
  method: "post",
  path: "/v1/runs/{id}/retry",
  tags: ["Runs"],
  summary: "Ask the failed samples of a run again",
  description:
    "For a run that has finished or failed and whose endpoint Assay called. The same run goes on: samples without an answer are asked again, with all of the unit that they belong to, and its figures are replaced when it has finished. The endpoint's secrets were wiped when the run ended: where it had any, give them again.",
  middleware: [requireScope("submit", "admin"), requireJsonIfAny] as const,
  security: wantsApiKey,
  request: {
    params: z.object({ id: z.string() }),
    body: { content: { "application/json": { schema: retryRequestSchema } } },
  },
  responses: {
    200: { description: "The run goes on", content: { "application/json": { schema: runSchema } } },
    ...problemResponses(
      "invalid-request",
      "malformed-json",
      "unauthorized",
      "forbidden",
      "not-found",
      "conflict",
      "unsupported-media-type",
    ),
  },
});

/** Asking failed samples again. */
export const retryRoutes = apiRouter().openapi(retry, async (c) => {
  const { ports, account } = c.var;
  const { id } = c.req.valid("param");
  if (account === null) throw new Error("requireScope lets nobody through without an account");
  const retried = await retryRun(ports, account, id, c.req.valid("json"));
  if (!retried.ok) return refusedRun(c, retried.error);
  return c.json(runView(retried.value, ports.now()), 200);
});
