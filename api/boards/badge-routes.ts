import { createRoute, z } from "@hono/zod-openapi";
import { makeBadge } from "badge-maker";
import { badgeQuerySchema, shieldsBadgeSchema } from "#shared/contracts/badge.ts";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { type AppContext, apiRouter, openToAll } from "../http/router.ts";
import { badgeOf, greyBadge } from "./badge.ts";

/** How long a badge may be shown from a cache. */
const CACHE = "public, max-age=300";

const params = z.object({
  owner: nameSchema.meta({ example: "demo" }),
  model: nameSchema.meta({ example: "sim-large" }),
});

const svg = createRoute({
  method: "get",
  path: "/badge/{owner}/{model}.svg",
  operationId: "getBadgeSvg",
  security: openToAll,
  tags: ["Badges"],
  summary: "A model's badge as SVG",
  description:
    "An image in each case but 429: a model without a ranked run gets a grey “not evaluated” badge, and a query that can't be met a grey one that says which part is bad, such as “bad metric”. Green, yellow and red go by the suite's limits of the metric, else by its value where it is a share of which more is better; a blue badge judges nothing, a grey one is of a simulated model or simulated judges, too.",
  request: { params, query: badgeQuerySchema },
  responses: {
    200: {
      description: "The badge",
      content: { "image/svg+xml": { schema: z.string() } },
    },
    304: { description: "Unchanged since the badge named in If-None-Match" },
  },
});

const json = createRoute({
  ...svg,
  path: "/badge/{owner}/{model}.json",
  operationId: "getBadgeJson",
  summary: "A model's badge for shields.io",
  responses: {
    ...svg.responses,
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
  const found = await badgeOf(c.var.ports, `${owner}/${model}`, c.req.query()).catch(
    (error: unknown) => logged(c, error),
  );
  c.header("cache-control", found === null ? "no-store" : CACHE);
  const badge = found ?? greyBadge("unavailable");
  if (ending === "json") return c.json({ schemaVersion: 1, ...badge });
  c.header("content-type", "image/svg+xml; charset=utf-8");
  return c.body(makeBadge(badge));
});

/** A fault of ours: in somebody's README an answer 500 would be a broken image. */
function logged(c: AppContext, error: unknown): null {
  const text = error instanceof Error ? error.stack : String(error);
  const entry = { event: "badge-failed", requestId: c.get("requestId"), error: text };
  console.error(JSON.stringify(entry));
  return null;
}
