import { bytesToHex } from "@noble/hashes/utils.js";
import type { MiddlewareHandler } from "hono";
import { KEYS_PATH } from "#shared/contracts/boards/result-statement.ts";
import { lruCache } from "../platform/lru-cache.ts";
import { type AppContext, type AppEnv, bearerOf } from "./router.ts";

/**
 * What shared caches may keep: Cloudflare's in front of the Worker ([cache] in wrangler.toml) and readers' proxies. It is
 * given for a minute at the most, half of that while a new one is fetched, and for an hour while the service fails, as
 * from memory; Cloudflare would otherwise keep it for ever.
 */
const OUTAGE = "stale-if-error=3600";
const MINUTE = `max-age=30, stale-while-revalidate=30, ${OUTAGE}`;

/** Of an address that always means the same, or that is embedded and asked for often: five minutes. */
export const FIVE_MINUTES = `public, max-age=240, stale-while-revalidate=60, ${OUTAGE}`;

/** Reads that are the same for everybody and give nothing by an address that only some know, as unlisted runs have. */
const sharedPaths =
  /^\/v1\/(leaderboard(\.csv)?|boards\/[^/]+|suites(\/[^/]+\/canaries)?|models\/[^/]+\/[^/]+\/history|datasets|openapi\.json)$/;

/** Of a reader: it asks each time whether it has changed. */
const OWN = "private, no-cache";
const NONE = "no-store";

/**
 * Says of each reply where it may be kept. Cloudflare's cache keeps what says nothing for two hours, and gives it to
 * whoever asks for the path with whatever key: what is not named here is for its reader alone, and who sends a key is
 * always answered by the Worker. Source: developers.cloudflare.com/workers/cache/configuration (2026-11-24).
 */
export const cacheRules: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  const said = c.res.headers.get("cache-control");
  const isKeyed = bearerOf(c) !== null;
  if (!isRead(c.req.method) || c.res.status >= 400) return c.header("cache-control", NONE);
  if (c.req.path.startsWith("/v1/")) c.header("vary", "authorization", { append: true });
  if (isKeyed && said !== NONE) return c.header("cache-control", OWN);
  if (said === null) return c.header("cache-control", ruleOf(c));
  // Pages and files of the site: browsers ask each time, for which Cloudflare need not ask the Worker.
  if (said.includes("must-revalidate") && c.res.status === 200) {
    c.header("cloudflare-cdn-cache-control", MINUTE);
  }
};

function ruleOf({ req, res }: AppContext): string {
  if (sharedPaths.test(req.path) || req.path === KEYS_PATH) return `public, ${MINUTE}`;
  const isOwn = res.status === 304 || req.path.startsWith("/v1/");
  return isOwn ? OWN : NONE;
}

/** Answers that an isolate keeps, and bytes of the longest: together a fifth of its memory at the most. */
const CAPACITY = 32;
const MAX_BYTES = 800_000;
/**
 * After so much of its time an answer is asked for again, by the first reader who comes; others have the old one
 * meanwhile. In an outage readers have what is kept, up to this age: later it may show what was withdrawn since.
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
 * Gives an answer that is the same for everyone again from memory, for as long as the settings say, so that a badge
 * which many pages embed is not looked up for each of them. What comes from memory counts for no limit of requests:
 * it costs less than a refusal. For GET routes that answer with text.
 */
export function responseCache(): MiddlewareHandler<AppEnv> {
  const kept = lruCache<KeptAnswer>(CAPACITY);
  return async (c, next) => {
    const { now, settings } = c.var.platform;
    const { publicReadsKeptMs: keptMs } = settings;
    if (!(keptMs > 0) || !isRead(c.req.method)) return next();
    const begun = now();
    const found = kept.get(c.req.url);
    if (found !== undefined && begun < found.renewedFrom)
      return c.body(found.body, 200, found.headers);
    if (found !== undefined) found.renewedFrom = found.until;
    await next();
    if (isOutage(c.res) && found !== undefined && now() < found.until + OUTAGE_MAX_MS) {
      c.res = responseOf(found);
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
    // What took long is older than what another reader may have had since.
    const isNewest = (kept.get(c.req.url)?.until ?? 0) <= answer.until;
    if (isNewest && body.byteLength <= MAX_BYTES) kept.set(c.req.url, answer);
    c.res = responseOf(answer);
  };
}

const responseOf = ({ body, headers }: Pick<KeptAnswer, "body" | "headers">): Response =>
  new Response(body, { headers });

/** Whether the service had no answer: an error of its own, or a badge that says so. */
const isOutage = ({ status, headers }: Response): boolean =>
  status >= 500 || headers.get("cache-control") === "no-store";

const isRead = (method: string): boolean => method === "GET" || method === "HEAD";

/** SHA-256, by the platform, in hex. */
async function digest(body: ArrayBuffer): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", body);
  return bytesToHex(new Uint8Array(bytes));
}

/** Those of its headers that are there. */
function named({ headers }: Response, ...names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}
