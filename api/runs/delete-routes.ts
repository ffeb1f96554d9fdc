import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { problemResponses } from "../http/problem-response.ts";
import { refusedRun } from "../http/refused-run.ts";
import { requireScope } from "../http/require-scope.ts";
import { apiRouter, wantsApiKey } from "../http/router.ts";
import { deleteRun } from "./withdraw-run.ts";

const remove = createRoute({
  method: "delete",
  path: "/v1/runs/{id}",
  operationId: "deleteRun",
  tags: ["Runs"],
  summary: "Delete a run with its answers",
  description:
    "For its owner and admins. A run that has not ended is cancelled first. From then on nobody can read it, and it leaves boards, snapshot and badge; what it stored is removed within minutes, its page with the next build of the site. This can't be undone. Runs that scored its answers anew stay.",
  middleware: requireScope("submit", "admin"),
  security: wantsApiKey,
  request: { params: z.object({ id: nameSchema }) },
  responses: {
    204: { description: "The run is gone" },
    ...problemResponses("unauthorized", "forbidden", "not-found"),
  },
});

/** Deleting runs. */
export const deleteRoutes = apiRouter().openapi(remove, async (c) => {
  const { ports, account } = c.var;
  if (account === null) throw new Error("requireScope lets nobody through without an account");
  const deleted = await deleteRun(ports, account, c.req.valid("param").id);
  return deleted.ok ? c.body(null, 204) : refusedRun(c, deleted.error);
});
