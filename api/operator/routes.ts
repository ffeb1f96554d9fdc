import { createRoute, z } from "@hono/zod-openapi";
import { operatorSettingsSchema, overviewSchema } from "#shared/contracts/operator/overview.ts";
import { jsonReply } from "../http/json-content.ts";
import { problemResponses } from "../http/problem-response.ts";
import { requireScope } from "../http/require-scope.ts";
import { apiRouter, wantsApiKey } from "../http/router.ts";
import { overview, settingsInForce } from "./overview.ts";

const shared = {
  method: "get" as const,
  tags: ["Operation"],
  middleware: requireScope("admin"),
  security: wantsApiKey,
};

const readOverview = createRoute({
  ...shared,
  path: "/v1/operator/overview",
  operationId: "getOverview",
  summary: "How the service is doing",
  description:
    "Active and stuck runs, lanes, waiting work, endpoints by failure class, spending on judges, growth of the database, judges, canaries and drift. Lists and numbers are bounded, so that it reads at most some thousand rows of the database.",
  request: {
    query: z.object({
      stuckMinutes: z.coerce.number().int().min(1).max(1_440).default(15).meta({
        description: "a run is stuck if no lane has renewed its lease for so long",
      }),
    }),
  },
  responses: {
    200: jsonReply("The overview", overviewSchema),
    ...problemResponses("unauthorized", "forbidden", "invalid-request"),
  },
});

const readSettings = createRoute({
  ...shared,
  path: "/v1/operator/settings",
  operationId: "getSettings",
  summary: "The settings in force",
  description: "Of the deployment's variables and judges, as text. Secrets are never shown.",
  responses: {
    200: jsonReply("The settings", operatorSettingsSchema),
    ...problemResponses("unauthorized", "forbidden"),
  },
});

/** What only the operator sees. */
export const operatorRoutes = apiRouter()
  .openapi(readOverview, async (c) => {
    const { stuckMinutes } = c.req.valid("query");
    return c.json(await overview(c.var.platform, stuckMinutes), 200);
  })
  .openapi(readSettings, async (c) => c.json(settingsInForce(c.var.platform), 200));
