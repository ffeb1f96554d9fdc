import { createRoute, z } from "@hono/zod-openapi";
import { makeBadge } from "badge-maker";
import { shieldsBadgeSchema } from "#shared/contracts/badge.ts";
import { badgeOf } from "../pipeline/boards/badge.ts";
import { apiRouter, openToAll } from "./api-app.ts";

/** How long a badge may be shown from a cache. */
const CACHE = "public, max-age=300";

const params = z.object({
  owner: z.string().meta({ example: "demo" }),
  model: z.string().meta({ example: "sim-large" }),
});

const query = z.object({
  suite: z.string().optional().meta({ description: "default: the newest ranked run of any suite" }),
});

const svg = createRoute({
  method: "get",
  path: "/badge/{owner}/{model}.svg",
  operationId: "getBadgeSvg",
  security: openToAll,
  tags: ["Badges"],
  summary: "A model's badge as SVG",
  description: "A model without a ranked run gets a grey “not evaluated” badge, never an error.",
  request: { params, query },
  responses: {
    200: {
      description: "The badge",
      content: { "image/svg+xml": { schema: z.string() } },
    },
  },
});

const json = createRoute({
  ...svg,
  path: "/badge/{owner}/{model}.json",
  operationId: "getBadgeJson",
  summary: "A model's badge for shields.io",
  responses: {
    200: {
      description: "The badge in the endpoint schema of shields.io",
      content: { "application/json": { schema: shieldsBadgeSchema } },
    },
  },
});

/** Badges to embed. A file ending in a path is not a parameter of its own to Hono, hence `:file`. */
export const badgeRoutes = apiRouter();
badgeRoutes.openAPIRegistry.registerPath(svg);
badgeRoutes.openAPIRegistry.registerPath(json);
badgeRoutes.get("/badge/:owner/:file{.+\\.(?:svg|json)}", async (c) => {
  const { owner, file } = c.req.param();
  const [, model = "", ending] = /^(.*)\.(svg|json)$/.exec(file) ?? [];
  const badge = await badgeOf(c.var.ports, `${owner}/${model}`, c.req.query("suite") ?? null);
  c.header("cache-control", CACHE);
  if (ending === "json") return c.json({ schemaVersion: 1, ...badge });
  c.header("content-type", "image/svg+xml; charset=utf-8");
  return c.body(makeBadge(badge));
});
