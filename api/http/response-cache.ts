import { bytesToHex } from "@noble/hashes/utils.js";
import type { MiddlewareHandler } from "hono";
import { KEYS_PATH } from "#shared/contracts/boards/result-statement.ts";
import { SHARE_HEADER } from "#shared/contracts/keys/access-names.ts";
import { lruCache } from "../platform/lru-cache.ts";
import { type AppContext, type AppEnv, bearerOf } from "./router.ts";
import { sessionToken } from "./session.ts";

/**
 * Cache lifetime in shared caches: Cloudflare's in front of the Worker ([cache] in wrangler.toml) and proxies of
 * readers. At most a minute, half a minute more while the cache refreshes, and an hour while the service fails, as in
 * memory; without a limit, Cloudflare would serve it for ever.
 */
const OUTAGE = "stale-if-error=3600";
const MINUTE = `max-age=30, stale-while-revalidate=30, ${OUTAGE}`;

/** Five minutes, for immutable addresses and for embedded ones that are read often. */
export const FIVE_MINUTES = `public, max-age=240, stale-while-revalidate=60, ${OUTAGE}`;

/** Reads with the same reply for everyone, at addresses that are not secret. Addresses of unlisted runs are secret. */
const sharedPaths =
  /^\/v1\/(leaderboard(\.csv)?|boards\/[^/]+|suites(\/[^/]+\/canaries)?|models\/[^/]+\/[^/]+\/history|parities(\/[^/]+\/[^/]+(\/statement)?)?|datasets|openapi\.json)$/;

/** The badge of a private run, which must end with its link. */
export const SHARED_BADGE = "/badge/shared.svg";

/** Cache rule of replies that a share link opened. */
export const UNSHARED = "private, no-store";

/** Cache rule of replies for one reader, who revalidates each time. */
const OWN = "private, no-cache";
const NONE = "no-store";

/**
 * Sets `cache-control` on every reply. Without it, Cloudflare caches for two hours and serves any caller of the path,
 * whatever the key: so paths not listed here are private, and requests with a key always reach the Worker.
 * Source: developers.cloudflare.com/workers/cache/configuration (2026-11-24).
 */
export const cacheRules: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  const said = c.res.headers.get("cache-control");
  const isKeyed = bearerOf(c) !== null || sessionToken(c) !== null;
  if (!isRead(c.req.method) || c.res.status >= 400) return c.header("cache-control", NONE);
  if (c.req.path.startsWith("/v1/")) {
    c.header("vary", `authorization, ${SHARE_HEADER}`, { append: true });
  }
  if (said === UNSHARED) return c.header("referrer-policy", "no-referrer");
  if (isKeyed && said !== NONE) return c.header("cache-control", OWN);
  if (said === null) return c.header("cache-control", ruleOf(c));
  // Pages and files of the site: browsers revalidate each time, but Cloudflare need not ask the Worker.
  if (said.includes("must-revalidate") && [200, 304].includes(c.res.status)) {
    c.header("cloudflare-cdn-cache-control", MINUTE);
  }
};

function ruleOf({ req, res }: AppContext): string {
  if (sharedPaths.test(req.path) || req.path === KEYS_PATH) return `public, ${MINUTE}`;
  const isOwn = res.status === 304 || req.path.startsWith("/v1/");
  return isOwn ? OWN : NONE;
}

/** Number of replies that an isolate caches, and bytes of the largest: together at most a fifth of its memory. */
const CAPACITY = 32;
const MAX_BYTES = 800_000;
/**
 * After this share of its lifetime, the next reader refreshes a reply; others get the old one meanwhile. In an outage
 * readers get cached replies up to `OUTAGE_MAX_MS` old: older ones may show what was withdrawn since.
 */
const RENEWED_AT = 0.8;
const OUTAGE_MAX_MS = 3_600_000;

interface KeptAnswer {
  renewedFrom: number;
  until: number;
  body: ArrayBuffer;
  headers: Record<string, string>;
}

/**
 * Serves replies that are equal for everyone from memory, for the configured lifetime, so that a badge on many pages is
 * not computed for each reader. Cached replies don't count towards rate limits: they cost less than a refusal. For GET
 * routes that return text.
 */
export function responseCache(): MiddlewareHandler<AppEnv> {
  const kept = lruCache<KeptAnswer>(CAPACITY);
  // A slow reply may be older than one that was cached meanwhile.
  const keepNewest = (url: string, answer: KeptAnswer) => {
    const newest = kept.get(url) ?? answer;
    if (newest.until <= answer.until && answer.body.byteLength <= MAX_BYTES) kept.set(url, answer);
  };
  return async (c, next) => {
    const { now, settings } = c.var.platform;
    const { publicReadsKeptMs: keptMs } = settings;
    if (!(keptMs > 0) || !isRead(c.req.method) || isOfOne(c)) return next();
    const begun = now();
    const found = kept.get(c.req.url);
    if (found !== undefined && begun < found.renewedFrom)
      return c.body(found.body, 200, found.headers);
    if (found !== undefined) found.renewedFrom = found.until;
    await next();
    const leftMs = (found?.until ?? 0) + OUTAGE_MAX_MS - now();
    if (isOutage(c.res) && found !== undefined && leftMs > 0) {
      c.res = responseOf(found);
      c.header("cache-control", outageRule(leftMs));
      return;
    }
    if (c.res.status !== 200 || isOutage(c.res)) return;
    const body = await c.res.arrayBuffer();
    const headers = {
      ...named(c.res, "content-type", "cache-control"),
      etag: `"${await digest(body)}"`,
    };
    const answer = {
      renewedFrom: begun + RENEWED_AT * keptMs,
      until: begun + keptMs,
      body,
      headers,
    };
    keepNewest(c.req.url, answer);
    c.res = responseOf(answer);
  };
}

/** Whether the reply is for one reader, or must end with a link. */
const isOfOne = ({ req }: AppContext): boolean =>
  req.query("mine") !== undefined || req.path === SHARED_BADGE;

/** Cache rule of a reply from memory during an outage: other caches must not start another hour with it. */
const outageRule = (leftMs: number): string =>
  `public, max-age=30, stale-if-error=${Math.floor(leftMs / 1_000)}`;

const responseOf = ({ body, headers }: Pick<KeptAnswer, "body" | "headers">): Response =>
  new Response(body, { headers });

/** Whether the service failed: an error status, or a badge that shows an error. */
const isOutage = ({ status, headers }: Response): boolean =>
  status >= 500 || headers.get("cache-control") === "no-store";

export const isRead = (method: string): boolean => method === "GET" || method === "HEAD";

/** SHA-256 in hex, by the platform's implementation. */
async function digest(body: ArrayBuffer): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", body);
  return bytesToHex(new Uint8Array(bytes));
}

/** The named headers that exist. */
function named({ headers }: Response, ...names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}
