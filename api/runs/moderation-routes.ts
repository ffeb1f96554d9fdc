import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { runSchema } from "#shared/contracts/run.ts";
import { hideRequestSchema } from "#shared/contracts/run-requests.ts";
import { problemResponses } from "../http/problem-response.ts";
import { refusedRun } from "../http/refused-run.ts";
import { requireJson } from "../http/require-json.ts";
import { requireScope } from "../http/require-scope.ts";
import { apiRouter, wantsApiKey } from "../http/router.ts";
import { runView } from "./run-view.ts";
import { hideRun } from "./withdraw-run.ts";

const params = z.object({ id: nameSchema });
const shared = { method: "post" as const, tags: ["Runs"], security: wantsApiKey };
const run = {
  200: { description: "The run", content: { "application/json": { schema: runSchema } } },
};

const hide = createRoute({
  ...shared,
  path: "/v1/runs/{id}/hide",
  operationId: "hideRun",
  summary: "Hide a run from everybody but its owner",
  description:
    "Needs the scope `admin`. The run can be read by its owner, who sees the reason, and by admins; it leaves boards, snapshot and badge, and its page goes with the next build of the site. Runs that scored its answers anew are hidden with it, but for those that are hidden already. Hiding it again changes the reason.",
  middleware: [requireScope("admin"), requireJson] as const,
  request: {
    params,
    body: { required: true, content: { "application/json": { schema: hideRequestSchema } } },
  },
  responses: {
    ...run,
    ...problemResponses(
      "invalid-request",
      "malformed-json",
      "unauthorized",
      "forbidden",
      "not-found",
      "unsupported-media-type",
    ),
  },
});

const unhide = createRoute({
  ...shared,
  path: "/v1/runs/{id}/unhide",
  operationId: "unhideRun",
  summary: "Show a hidden run again",
  description:
    "Needs the scope `admin`. The run is back on its board as if it had not been away, and with it the runs that scored its answers anew and were hidden for the same reason. One that scored the answers of a hidden run can't be shown by itself.",
  middleware: requireScope("admin"),
  request: { params },
  responses: { ...run, ...problemResponses("unauthorized", "forbidden", "not-found", "conflict") },
});

/** Hiding runs and showing them again. */
export const moderationRoutes = apiRouter()
  .openapi(hide, async (c) => {
    const { ports } = c.var;
    const hidden = await hideRun(ports, c.req.valid("param").id, c.req.valid("json").reason);
    if (!hidden.ok) return refusedRun(c, hidden.error);
    return c.json(runView(hidden.value, ports.now()), 200);
  })
  .openapi(unhide, async (c) => {
    const { ports } = c.var;
    const shown = await hideRun(ports, c.req.valid("param").id, null);
    if (!shown.ok) return refusedRun(c, shown.error);
    return c.json(runView(shown.value, ports.now()), 200);
  });
