import type { MiddlewareHandler } from "hono";
import { isOwnHost } from "../security/own-hosts.ts";
import { problem } from "./responses.ts";
import { type AppContext, type AppEnv, bearerOf } from "./router.ts";

/** Names of this machine. A browser never sends these as the host of another site's page. */
const thisMachine = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

const reading = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * A service without API keys answers only at this machine's names and the configured ones. Otherwise a page could point
 * its own host name to this machine (DNS rebinding) and count as same-origin.
 */
export const refuseForeignHosts: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { requireApiKey, ownHosts } = c.var.platform.settings;
  if (requireApiKey) return next();
  // A proxy, or a development server, may set the URL from another header than the browser's Host.
  const given = [new URL(c.req.url).host, c.req.header("host")?.toLowerCase()];
  const foreign = given.find(
    (host) => host !== undefined && !thisMachine.test(host) && !isOwnHost(host, ownHosts),
  );
  if (foreign !== undefined) {
    const detail = `this service requires no key, so it answers only at localhost, 127.0.0.1 and [::1], not at "${foreign.slice(0, 100)}": add its host to OWN_HOSTS`;
    return problem(c, "forbidden", detail);
  }
  await next();
  c.header("vary", "origin, sec-fetch-site", { append: true });
};

/**
 * Pages of other origins can read, and write only with an API key. Without required keys, any page open in a user's
 * browser could otherwise submit in the user's name. Clients that are not browsers send neither header and pass.
 */
export const refuseForeignWrites: MiddlewareHandler<AppEnv> = async (c, next) => {
  const isAllowed = reading.has(c.req.method) || bearerOf(c) !== null;
  if (isAllowed || !isForeign(c)) return next();
  const detail = `a page of ${c.req.header("origin") ?? "another site"} can't write here without an API key; send one as Authorization: Bearer …`;
  return problem(c, "forbidden", detail);
};

/** Answers the preflight of such a write with the refusal, if no key is required. */
export const refuseForeignPreflights: MiddlewareHandler<AppEnv> = async (c, next) => {
  const method = c.req.header("access-control-request-method");
  const headers = (c.req.header("access-control-request-headers") ?? "").toLowerCase().split(",");
  const isAllowed =
    c.req.method !== "OPTIONS" ||
    c.var.platform.settings.requireApiKey ||
    method === undefined ||
    reading.has(method) ||
    headers.some((name) => name.trim() === "authorization");
  if (isAllowed || !isForeign(c)) return next();
  return problem(c, "forbidden", "pages of other origins can't write here without an API key");
};

/**
 * Whether a page of another origin sent the request. Another port of this machine is another origin: any program may
 * listen there.
 */
export function isForeign(c: AppContext): boolean {
  const site = c.req.header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  const origin = c.req.header("origin");
  if (origin === undefined) return false;
  const own = new URL(c.req.url);
  const { ownHosts, publicOrigin } = c.var.platform.settings;
  if (origin === own.origin || origin === publicOrigin) return false;
  // A proxy that terminates TLS forwards the request as http.
  const isProxied = origin === `https://${own.host}`;
  return !(isProxied && isOwnHost(own.host, ownHosts));
}
