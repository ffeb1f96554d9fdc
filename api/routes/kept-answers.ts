import { bytesToHex } from "@noble/hashes/utils.js";
import type { MiddlewareHandler } from "hono";
import { recentlyUsed } from "../recently-used.ts";
import type { AppEnv } from "./api-app.ts";

/** Answers that an isolate keeps, and characters of the longest: together a fifth of its memory at the most. */
const CAPACITY = 32;
const MAX_CHARS = 400_000;

interface KeptAnswer {
  until: number;
  body: string;
  headers: Record<string, string>;
}

/**
 * Gives an answer that is the same for everyone again from memory, for as long as the settings say, so that a badge
 * which many pages embed is not looked up for each of them. What comes from memory counts for no limit of requests:
 * it costs less than a refusal. For GET routes that answer with text.
 */
export function keptAnswers(): MiddlewareHandler<AppEnv> {
  const kept = recentlyUsed<KeptAnswer>(CAPACITY);
  return async (c, next) => {
    const { now, settings } = c.var.ports;
    const { publicReadsKeptMs: keptMs } = settings;
    if (!(keptMs > 0) || !isRead(c.req.method)) return next();
    const found = kept.get(c.req.url);
    if (found !== undefined && now() < found.until) return c.body(found.body, 200, found.headers);
    await next();
    if (c.res.status !== 200 || c.res.headers.get("cache-control") === "no-store") return;
    const body = await c.res.text();
    const headers = {
      ...named(c.res, "content-type", "cache-control"),
      etag: `"${await digest(body)}"`,
    };
    if (body.length <= MAX_CHARS) kept.set(c.req.url, { until: now() + keptMs, body, headers });
    c.res = new Response(body, { headers });
  };
}

const isRead = (method: string): boolean => method === "GET" || method === "HEAD";

/** SHA-256, by the platform, in hex. */
async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
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
