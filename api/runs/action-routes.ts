import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { runSchema } from "#shared/contracts/run.ts";
import { type ResumeRequest, resumeRequestSchema } from "#shared/contracts/run-requests.ts";
import { problem, problemResponses } from "../http/problem-response.ts";
import { requireJsonIfAny } from "../http/require-json.ts";
import { requireScope } from "../http/require-scope.ts";
import { type AppContext, apiRouter, wantsApiKey } from "../http/router.ts";
import { runView } from "./run-view.ts";
import { controlRun, type RunAction } from "./service.ts";

const summaries: Record<RunAction, string> = {
  cancel: "Cancel a run; what has been answered stays",
  pause: "Pause a run that still has samples to ask; requests under way are finished",
  resume: "Go on with a paused run",
};

const routeOf = (action: RunAction) =>
  createRoute({
    method: "post",
    path: `/v1/runs/{id}/${action}`,
    operationId: `${action}Run`,
    tags: ["Runs"],
    summary: summaries[action],
    middleware: requireScope("submit"),
    security: wantsApiKey,
    request: { params: z.object({ id: nameSchema }) },
    responses: {
      200: { description: "The run", content: { "application/json": { schema: runSchema } } },
      ...problemResponses("unauthorized", "forbidden", "not-found", "conflict"),
    },
  });

const resume = createRoute({
  ...routeOf("resume"),
  description:
    "A run that paused because `maxCostUsd` was reached wants a higher limit, or `null` for none; the answer says what it has spent. The limit is exceeded by no more than the samples cost that were under way when it was reached: at most `concurrency` of them. Tokens are counted as the endpoint gives them with an answer; what it bills for calls that failed and were sent again, or whose answer was lost with a Worker, it does not tell.",
  middleware: [requireScope("submit"), requireJsonIfAny] as const,
  request: {
    params: z.object({ id: nameSchema }),
    body: { content: { "application/json": { schema: resumeRequestSchema } } },
  },
  responses: {
    ...routeOf("resume").responses,
    ...problemResponses("invalid-request", "malformed-json", "unsupported-media-type"),
  },
});

/** What an owner can do to a run that has not ended. */
export const runActionRoutes = apiRouter();

for (const action of ["cancel", "pause"] as const) {
  runActionRoutes.openapi(routeOf(action), (c) => act(c, c.req.valid("param").id, action));
}
runActionRoutes.openapi(resume, (c) =>
  act(c, c.req.valid("param").id, "resume", c.req.valid("json")),
);

async function act(c: AppContext, id: string, action: RunAction, request?: ResumeRequest) {
  const { account, ports } = c.var;
  if (account === null) return problem(c, "unauthorized", "send an API key");
  const changed = await controlRun(ports, account, id, action, request);
  if (!changed.ok) return problem(c, changed.error.type, changed.error.detail);
  return c.json(runView(changed.value, ports.now()), 200);
}
