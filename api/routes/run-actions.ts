import { createRoute, z } from "@hono/zod-openapi";
import { runSchema } from "#shared/contracts/run.ts";
import { controlRun, type RunAction, runActions } from "../pipeline/control-run.ts";
import { runView } from "../pipeline/run-view.ts";
import { apiRouter, wantsApiKey } from "./api-app.ts";
import { problem, problemResponses } from "./problem-response.ts";
import { requireScope } from "./require-scope.ts";

const summaries: Record<RunAction, string> = {
  cancel: "Cancel a run; what has been answered stays",
  pause: "Pause a run; requests under way are finished",
  resume: "Go on with a paused run",
};

const routeOf = (action: RunAction) =>
  createRoute({
    method: "post",
    path: `/v1/runs/{id}/${action}`,
    tags: ["Runs"],
    summary: summaries[action],
    middleware: requireScope("submit"),
    security: wantsApiKey,
    request: { params: z.object({ id: z.string() }) },
    responses: {
      200: { description: "The run", content: { "application/json": { schema: runSchema } } },
      ...problemResponses("unauthorized", "forbidden", "not-found", "conflict"),
    },
  });

/** What an owner can do to a run that has not ended. */
export const runActionRoutes = apiRouter();

for (const action of runActions) {
  runActionRoutes.openapi(routeOf(action), async (c) => {
    const { account, ports } = c.var;
    if (account === null) return problem(c, "unauthorized", "send an API key");
    const changed = await controlRun(ports, account, c.req.valid("param").id, action);
    if (!changed.ok) return problem(c, changed.error.type, changed.error.detail);
    return c.json(runView(changed.value), 200);
  });
}
