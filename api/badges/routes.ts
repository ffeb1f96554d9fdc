import { createRoute, z } from "@hono/zod-openapi";
import { makeBadge } from "badge-maker";
import { badgeQuerySchema, shieldsBadgeSchema } from "#shared/contracts/boards/badge.ts";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { FIVE_MINUTES, SHARED_BADGE } from "../http/response-cache.ts";
import { jsonReply } from "../http/responses.ts";
import { type AppContext, apiRouter, openToAll } from "../http/router.ts";
import { openShare } from "../keys/share.ts";
import { logError } from "../platform/log.ts";
import type { Platform } from "../platform/platform.ts";
import { runView } from "../runs/view.ts";
import { badgeOf, greyBadge, runBadge } from "./badge.ts";

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

const shared = createRoute({
  ...svg,
  path: SHARED_BADGE,
  operationId: "getSharedBadge",
  summary: "The badge of a private run, by a link",
  description:
    "`POST /v1/runs/{id}/shares` gives its address. The token opens this image alone, with the metric that it was made for. No cache keeps it; once the link has expired or is revoked, it is grey.",
  request: {
    query: badgeQuerySchema
      .pick({ label: true, style: true, show: true })
      .extend({ token: nameSchema }),
  },
  responses: {
    200: { description: "The badge", content: { "image/svg+xml": { schema: z.string() } } },
  },
});

/** Badges to embed. The parameter includes the file extension, because Hono cannot match one after a parameter. */
export const badgeRoutes = apiRouter();
badgeRoutes.openAPIRegistry.registerPath(svg);
badgeRoutes.openAPIRegistry.registerPath(json);
badgeRoutes.openAPIRegistry.registerPath(shared);
badgeRoutes.get(SHARED_BADGE, async (c) => {
  const { token = "", ...wanted } = c.req.query();
  const badge = await sharedBadge(c.var.platform, token, wanted).catch((error: unknown) =>
    logged(c, error),
  );
  c.header("cache-control", "no-store");
  c.header("x-robots-tag", "noindex");
  c.header("content-type", "image/svg+xml; charset=utf-8");
  return c.body(makeBadge(badge ?? greyBadge("unavailable")));
});
badgeRoutes.get("/badge/:owner/:file{.+\\.(?:svg|json)}", async (c) => {
  const { owner, file } = c.req.param();
  const [, model = "", ending] = /^(.*)\.(svg|json)$/.exec(file) ?? [];
  const found = await badgeOf(c.var.platform, `${owner}/${model}`, c.req.query()).catch(
    (error: unknown) => logged(c, error),
  );
  c.header("cache-control", found === null ? "no-store" : FIVE_MINUTES);
  // With an error status, Cloudflare's cache keeps serving the badge that it has.
  if (found === null && c.req.header("if-none-match") !== undefined) c.status(503);
  const badge = found ?? greyBadge("unavailable");
  if (ending === "json") return c.json({ schemaVersion: 1, ...badge });
  c.header("content-type", "image/svg+xml; charset=utf-8");
  return c.body(makeBadge(badge));
});

/** The badge that a token opens. Grey if the token opens nothing, or the run was deleted or hidden. */
async function sharedBadge(platform: Platform, token: string, wanted: Record<string, string>) {
  const query = badgeQuerySchema.safeParse(wanted);
  if (!query.success) return greyBadge(`bad ${String(query.error.issues[0]?.path[0])}`);
  const share = await openShare(platform, token, "badge");
  const id = share?.runs[0];
  const run = id === undefined ? null : await platform.runs.get(id);
  const isGone = run === null || run.deletedAt !== null || run.hiddenReason !== null;
  if (isGone) return greyBadge("not available", query.data);
  return runBadge(platform, runView(run, platform.now()), {
    ...query.data,
    metric: share?.metric,
  });
}

/** For internal errors: a 500 would show a broken image in somebody's README. */
function logged(c: AppContext, error: unknown): null {
  logError("badge-failed", error, { requestId: c.get("requestId") });
  return null;
}
