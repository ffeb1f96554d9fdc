import { createRoute, z } from "@hono/zod-openapi";
import { makeBadge } from "badge-maker";
import { badgeQuerySchema, shieldsBadgeSchema } from "#shared/contracts/boards/badge.ts";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { jsonReply } from "../http/json-content.ts";
import { FIVE_MINUTES } from "../http/response-cache.ts";
import { type AppContext, apiRouter, openToAll } from "../http/router.ts";
import { logError } from "../platform/log.ts";
import { badgeOf, greyBadge } from "./badge.ts";

const params = z.object({
  owner: nameSchema.meta({ example: "demo" }),
  model: nameSchema.meta({ example: "sim-large" }),
});

const outage =
  "A grey badge in reply to If-None-Match: the storage is unavailable, so continue to show the badge that you have";

const svg = createRoute({
  method: "get",
  path: "/badge/{owner}/{model}.svg",
  operationId: "getBadgeSvg",
  security: openToAll,
  tags: ["Badges"],
  summary: "A model's badge as SVG",
  description:
    "Always an image, except for 429: grey for a model without a ranked run, and for an invalid query, with the invalid part. Green, yellow and red follow the suite's thresholds of the metric, or its value if it is a share where more is better. A grey badge also marks a simulated model or simulated judges.",
  request: { params, query: badgeQuerySchema },
  responses: {
    200: {
      description: "The badge",
      content: { "image/svg+xml": { schema: z.string() } },
    },
    304: { description: "Not modified since If-None-Match" },
    503: { description: outage, content: { "image/svg+xml": { schema: z.string() } } },
  },
});

const json = createRoute({
  ...svg,
  path: "/badge/{owner}/{model}.json",
  operationId: "getBadgeJson",
  summary: "A model's badge for shields.io",
  responses: {
    ...svg.responses,
    200: jsonReply("The badge in the endpoint schema of shields.io", shieldsBadgeSchema),
    503: jsonReply(outage, shieldsBadgeSchema),
  },
});

/** Badges to embed. The parameter includes the file extension, because Hono cannot match one after a parameter. */
export const badgeRoutes = apiRouter();
badgeRoutes.openAPIRegistry.registerPath(svg);
badgeRoutes.openAPIRegistry.registerPath(json);
badgeRoutes.get("/badge/:owner/:file{.+\\.(?:svg|json)}", async (c) => {
  const { owner, file } = c.req.param();
  const [, model = "", ending] = /^(.*)\.(svg|json)$/.exec(file) ?? [];
  const found = await badgeOf(c.var.platform, `${owner}/${model}`, c.req.query()).catch(
    (error: unknown) => logged(c, error),
  );
  c.header("cache-control", found === null ? "no-store" : FIVE_MINUTES);
  // With an error status, Cloudflare's cache continues to serve the badge that it has.
  if (found === null && c.req.header("if-none-match") !== undefined) c.status(503);
  const badge = found ?? greyBadge("unavailable");
  if (ending === "json") return c.json({ schemaVersion: 1, ...badge });
  c.header("content-type", "image/svg+xml; charset=utf-8");
  return c.body(makeBadge(badge));
});

/** For internal errors: a 500 would show a broken image in somebody's README. */
function logged(c: AppContext, error: unknown): null {
  logError("badge-failed", error, { requestId: c.get("requestId") });
  return null;
}
