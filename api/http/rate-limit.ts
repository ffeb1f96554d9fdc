import type { MiddlewareHandler } from "hono";
import ipaddr from "ipaddr.js";
import { textHash } from "#shared/contracts/content-hash.ts";
import type { RequestKind } from "../platform/rate-limiter.ts";
import { wantsKey } from "./require-scope.ts";
import { problem } from "./responses.ts";
import { type AppContext, type AppEnv, bearerOf, isAsPublic } from "./router.ts";
import { sessionToken } from "./session.ts";

/** Reads with the same reply for everyone, often fetched through proxies with many readers. */
const publicPaths =
  /^\/(badge\/|v1\/(leaderboard(\.csv)?|snapshots?(\/[0-9a-z_/-]+)?|suites|openapi\.json)$)/;

/** Routes that may compute a result for the request. */
const comparisons = /^\/v1\/(compare|submissions\/[^/]+\/sweep)$/;

/**
 * Limits requests by address and, separately, by API key. Keys are counted by hash, valid or not, so that a flood costs
 * no database query.
 */
export const limitRequests: MiddlewareHandler<AppEnv> = async (c, next) => {
  const kind = kindOf(c.req.method, c.req.path);
  const key = bearerOf(c) ?? sessionToken(c);
  const callers = [addressOf(c), ...(key === null ? [] : [`key:${textHash(key)}`])];
  const allowed = await Promise.all(
    callers.map((caller) => c.var.platform.limiter.allows(kind, caller)),
  );
  if (allowed.includes(false)) return tooMany(c, kind);
  await next();
};

/**
 * Refuses unknown keys, even for reads: an anonymous reply would report the owner's private data as missing. Limits
 * them by address. Must run after `account` is set.
 */
export const refuseFailedKeys: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (bearerOf(c) === null || c.var.account !== null || isAsPublic(c)) return next();
  const kind = "failed-authentication";
  const isAllowed = await c.var.platform.limiter.allows(kind, addressOf(c));
  return isAllowed ? wantsKey(c) : tooMany(c, kind);
};

/**
 * Identifies a reader, so that each has a share: the account, or a hash of the address that only this deployment can
 * compute.
 */
export const readerIdOf = (c: AppContext): string =>
  c.var.account === null
    ? c.var.platform.sealer.pseudonym(addressOf(c))
    : `account:${c.var.account.owner}`;

/** The party that is counted for a request without a key: its address. */
export const addressOf = (c: AppContext) => `ip:${callerAddress(c.req.header("cf-connecting-ip"))}`;

/** Calls that a runner makes for each request that it sends. */
const ofRunners = /^\/v1\/runners\/[^/]+\/requests(\/|$)/;

/** Routes that anybody may call and that cost a call to a provider or a row. */
const signIns = /^\/v1\/(sign-in\/|device$)/;
const domainChecks = /^\/v1\/organisations\/[^/]+\/domains\/[^/]+\/check$/;

function kindOf(method: string, path: string): RequestKind {
  if (ofRunners.test(path)) return "read";
  const isOpen = path === "/v1/reports" || signIns.test(path);
  if (path === "/v1/connections" || domainChecks.test(path) || isOpen) return "test";
  if (method !== "GET" && method !== "HEAD") return "write";
  if (comparisons.test(path)) return "comparison";
  return publicPaths.test(path) ? "public-read" : "read";
}

const requestsOf: Record<RequestKind, string> = {
  read: "reads",
  write: "writes",
  "public-read": "reads",
  comparison: "comparisons",
  "costly-read": "comparisons, exports or searches",
  test: "tests of endpoints, reports or sign-ins",
  "failed-authentication": "requests with an API key that is not known here",
};

function tooMany(c: AppContext, kind: RequestKind) {
  const seconds = c.var.platform.limiter.periodSeconds(kind);
  c.header("retry-after", `${seconds}`);
  const detail = `too many ${requestsOf[kind]} in ${seconds} s from this address or API key; wait ${seconds} s and continue more slowly`;
  return problem(c, "too-many-requests", detail);
}

/** The first four groups of an IPv6 address: a customer usually has a whole /64 network. */
const NETWORK_GROUPS = 4;

/**
 * The party to count for an address: an IPv4 address, or the /64 network of an IPv6 address. `local` without an
 * address, as in local development.
 * @example callerAddress("2001:db8::1") // "2001:db8:0:0"
 */
export function callerAddress(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return "local";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return parsed.toNormalizedString().split(":").slice(0, NETWORK_GROUPS).join(":");
}
