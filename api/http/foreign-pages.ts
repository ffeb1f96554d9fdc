import type { MiddlewareHandler } from "hono";
import { isOwnHost } from "../security/own-hosts.ts";
import { problem } from "./problem-response.ts";
import { type AppContext, type AppEnv, bearerOf } from "./router.ts";

/** Names of this machine: no page of another origin can have its browser send one of them as its own host. */
const thisMachine = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

const reading = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * A service that requires no key answers only at this machine's names and the configured ones: a name that an attacker
 * has lead here (DNS rebinding) would make the attacker's pages its own.
 */
export const refuseForeignHosts: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { requireApiKey, ownHosts } = c.var.platform.settings;
  if (requireApiKey) return next();
  // A proxy of a development server may take the address from another header than the browser's own.
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

/** Tells a browser so before it sends such a write, where no key is asked for. */
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
 * Whether a browser sends the request for a page of another origin. Another port of this machine is another origin, too:
 * what listens there may be anybody's.
 */
export function isForeign(c: AppContext): boolean {
  const site = c.req.header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  const origin = c.req.header("origin");
  if (origin === undefined) return false;
  const own = new URL(c.req.url);
  const { ownHosts, publicOrigin } = c.var.platform.settings;
  if (origin === own.origin || origin === publicOrigin) return false;
  // A proxy that ends TLS before a configured host has it come by http.
  const isProxied = origin === `https://${own.host}`;
  return !(isProxied && isOwnHost(own.host, ownHosts));
}
