import type { MiddlewareHandler } from "hono";
import { textHash } from "#shared/contracts/content-hash.ts";
import { recentlyUsed } from "../recently-used.ts";
import type { AppEnv } from "./api-app.ts";

/** Answers that an isolate keeps: of boards of a hundred models, a sixth of its memory. */
const CAPACITY = 64;

interface KeptAnswer {
  until: number;
  body: string;
  headers: Record<string, string>;
}

/**
 * Gives an answer that is the same for everyone again from memory, for as long as the settings say: however many
 * pages embed a badge, an isolate asks the database for it once in that time. For routes that answer with text.
 */
export function keptAnswers(): MiddlewareHandler<AppEnv> {
  const kept = recentlyUsed<KeptAnswer>(CAPACITY);
  return async (c, next) => {
    const { now, settings } = c.var.ports;
    const found = kept.get(c.req.url);
    if (found !== undefined && now() < found.until) return c.body(found.body, 200, found.headers);
    await next();
    const isKept = c.res.status === 200 && c.res.headers.get("cache-control") !== "no-store";
    if (settings.publicReadsKeptMs === 0 || !isKept) return;
    const body = await c.res.text();
    const headers = {
      ...named(c.res, "content-type", "cache-control"),
      etag: `"${textHash(body)}"`,
    };
    kept.set(c.req.url, { until: now() + settings.publicReadsKeptMs, body, headers });
    c.res = new Response(body, { headers });
  };
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
