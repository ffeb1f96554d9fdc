import type { MiddlewareHandler } from "hono";
import { type AppContext, type AppEnv, bearerOf } from "./api-app.ts";
import { problem } from "./problem-response.ts";

const reading = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Lets pages of other origins read, and write only with an API key. Where a deployment asks for no
 * key, any page that its user has open could otherwise submit in the user's name. What is not a
 * browser sends neither header and passes.
 */
export const refuseForeignWrites: MiddlewareHandler<AppEnv> = async (c, next) => {
  const isAllowed = reading.has(c.req.method) || bearerOf(c) !== null;
  if (isAllowed || !isForeign(c)) return next();
  const detail = `a page of ${c.req.header("origin") ?? "another site"} can't write here without an API key; send one as Authorization: Bearer …`;
  return problem(c, "forbidden", detail);
};

function isForeign(c: AppContext): boolean {
  const origin = c.req.header("origin");
  if (origin !== undefined) return origin !== new URL(c.req.url).origin;
  const site = c.req.header("sec-fetch-site");
  return site === "cross-site" || site === "same-site";
}
